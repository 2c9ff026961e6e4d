"""Each verb answers, and its answer is the library's."""
import dataclasses
import json

import pytest

import plimsoll as pl
from plimsoll import library

QUESTIONS = [
    ("weigh", {"model": "resnet18"}, pl.weigh), ("weigh", {"model": ["lenet5", "mlp"]}, pl.weigh),
    ("weigh", {"model": "resnet18", "depth": 1, "units": 4}, pl.weigh),
    ("fit", {"model": "resnet50", "device": "nvidia-t4"}, pl.fit),
    ("fit", {"model": "lenet5", "device": "nvidia-t4", "residence": True, "brief": True}, pl.fit),
    ("fit", {"model_mb": 100, "sample_mb": 1, "activation_mb": 5, "memory": "8GB"}, pl.fit),
    ("place", {"model": "resnet18", "samples": 50_000}, pl.place), ("place", {"accuracy": True}, pl.place),
    ("scale", {"model": "resnet18", "device": "nvidia-dgx-1", "critical_batch": "1000"}, pl.scale),
    ("scale", {"links": True}, pl.scale), ("models", {}, pl.models), ("devices", {}, pl.devices),
    ("devices", {"name": "nvidia-t4"}, pl.devices),
]


@pytest.mark.parametrize("verb, request_fields, function", QUESTIONS, ids=lambda value: str(value)[:40])
def test_nothing_is_lost_between_json_and_classes(verb, request_fields, function):
    _, expected = library.ask(verb, request_fields)
    answer = function(**request_fields)
    assert answer.to_dict() == expected
    assert json.loads(answer.to_json()) == expected
    assert type(answer).from_dict(expected) == answer


@pytest.mark.parametrize("verb, request_fields, function", QUESTIONS, ids=lambda value: str(value)[:40])
def test_every_answer_is_short_in_a_shell_and_free_of_scripts_in_a_notebook(verb, request_fields, function):
    answer = function(**request_fields)
    assert len(repr(answer)) < 400 and "\n" not in repr(answer)
    html = answer._repr_html_()
    assert html.startswith("<div") and "<script" not in html


def test_answers_are_frozen():
    answer = pl.weigh("lenet5")
    with pytest.raises(dataclasses.FrozenInstanceError):
        answer.params = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        answer.layers[0].name = "other"


def test_bytes_path_and_loaded_network_are_answered_alike(resnet18_file):
    content = resnet18_file.read_bytes()
    by_path = pl.weigh(resnet18_file)
    assert by_path.params == 11_689_512
    for model in (str(resnet18_file), content, bytearray(content), pl.load(resnet18_file), pl.load(content)):
        assert pl.weigh(model).layers == by_path.layers


def test_shapes_may_be_tuples_and_dims_dicts(resnet18_file):
    wide = pl.weigh("resnet18", input=(3, 448, 448))
    assert wide.macs > 3.9 * pl.weigh("resnet18").macs
    assert pl.weigh("resnet18", input="3x448x448").macs == wide.macs


def test_a_fit_shows_the_load_line():
    answer = pl.fit("resnet50", device="nvidia-t4", brief=True)
    assert answer.fits and answer.needed_bytes <= answer.line_bytes
    html = answer._repr_html_()
    assert "<svg" in html and "line:" in html
    assert answer.sentences[0][:20] in html


def test_a_fit_shows_what_fills_the_memory_and_what_would_carry_more():
    answer = pl.fit("resnet50", device="nvidia-t4")
    html = answer._repr_html_()
    assert "at the peak: activations" in html
    assert all(other.change in html for other in answer.alternatives[:6]) and answer.alternatives


def test_a_ranking_shows_bars_with_the_verdict_among_them():
    answer = pl.place("resnet50", samples=50_000, epochs=10, by="money")
    html = answer._repr_html_()
    assert html.count("<rect") == 9  # eight and the verdict's
    assert f"font-weight='bold'>{answer.verdict.choice}<" in html
    assert "<svg" not in pl.place("resnet50", device="nvidia-t4")._repr_html_()  # nothing to compare


def test_the_verdict_is_in_the_table():
    answer = pl.place("resnet50", samples=50_000, epochs=10, by="money")
    names = [row.device for row in answer.ranking]
    assert names.index(answer.verdict.choice) > 20  # else this shows nothing
    assert f"<td style='padding:2px 8px;border-bottom:1px solid #e2e8f0;text-align:left'>{answer.verdict.choice}<" \
        in answer._repr_html_()


def test_owned_cards_have_their_electricity_told():
    card = pl.place("resnet50", device="nvidia-rtx-3090", electricity=0.3).ranking[0]
    assert card.electricity > 0 and "with power" in pl.place("resnet50", device="nvidia-rtx-3090")._repr_html_()
    assert pl.place("resnet50", device="aws-g5.xlarge").ranking[0].electricity is None
    assert all(row.kind == "cpu" for row in pl.place("lenet5", samples=1000, kind="cpu").ranking)


def test_names_in_html_are_escaped():
    answer = pl.weigh("lenet5")
    assert "<b>" not in dataclasses.replace(answer, model="<b>")._repr_html_()


def test_help_lists_every_field():
    for function in (pl.weigh, pl.fit, pl.place, pl.scale):
        from plimsoll.rows import ROWS
        for name in ROWS[function.__name__]:
            assert f"\n    {name}:" in function.__doc__, (function.__name__, name)
