"""Wrong use: one clear plimsoll.Error each."""
import pytest

import plimsoll as pl


def refused(function, *arguments, **fields):
    with pytest.raises(pl.Error) as caught:
        function(*arguments, **fields)
    assert "\n" not in str(caught.value)
    return caught.value


def test_an_unknown_keyword_names_the_nearest():
    assert "device" in refused(pl.fit, "resnet50", devise="nvidia-t4").hint
    assert "batch" in refused(pl.fit, "resnet50", batch_size=4).hint
    assert "epochs" in refused(pl.place, "resnet50", epoch=4).hint
    for tried, meant in (("gpu", "device"), ("precision", "dtype"), ("amp", "dtype"), ("seq_len", "sequence"),
                         ("num_classes", "classes"), ("optim", "optimizer"), ("vram", "memory")):
        assert f"'{meant}'" in refused(pl.fit, "resnet50", **{tried: 4}).hint, tried


def test_an_unknown_device_model_or_optimizer_is_named():
    assert "no-such-device" in refused(pl.fit, "resnet50", device="no-such-device").what
    assert "resnet51" in refused(pl.weigh, "resnet51").what
    assert "adamm" in refused(pl.fit, "resnet50", device="nvidia-t4", optimizer="adamm").what


def test_bytes_that_are_no_network():
    assert refused(pl.weigh, b"hello").what
    assert refused(pl.weigh, bytes(range(256)) * 4).what
    assert refused(pl.weigh, b"").what


def test_files_of_other_kinds_get_the_line_that_helps(tmp_path):
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(b"\x10\0\0\0\0\0\0\0{\"a\":{}        }")
    assert "config.json" in refused(pl.weigh, weights).hint
    (tmp_path / "config.json").write_text("{}")
    assert str(tmp_path / "config.json") in refused(pl.weigh, weights).hint
    checkpoint = tmp_path / "model.pt"
    checkpoint.write_bytes(b"PK\x03\x04 zip")
    assert "torch.onnx.export" in refused(pl.weigh, checkpoint).hint
    assert "plimsoll.fit(model, example)" in refused(pl.load, checkpoint).hint


def test_memory_without_a_unit():
    assert pl.fit("lenet5", memory="24", brief=True) == pl.fit("lenet5", memory="24GiB", brief=True)
    assert '"24GiB"' in refused(pl.fit, "lenet5", memory=24).hint


def test_numbers_as_python_writes_them():
    assert pl.fit("lenet5", device=4090, brief=True) == pl.fit("lenet5", device="4090", brief=True)
    assert pl.fit("lenet5", memory=8e9, brief=True) == pl.fit("lenet5", memory="8GB", brief=True)
    assert pl.fit("lenet5", device="t4", batch=64.0, brief=True).batch == 64
    assert refused(pl.fit, "lenet5", device="t4", batch=2.5).what


def test_choices_as_people_write_them():
    question = {"device": "t4", "brief": True}
    assert pl.fit("lenet5", framework="PyTorch", **question) == pl.fit("lenet5", framework="pytorch", **question)
    assert pl.fit("lenet5", framework="torch", mode="training", **question) == pl.fit("lenet5", **question)
    assert {one.device for one in pl.place("lenet5", samples=1e4, kind="GPU").ranking} == \
        {one.device for one in pl.place("lenet5", samples=10_000, kind="gpu").ranking}


def test_a_device_in_the_place_of_an_example():
    assert "device='t4'" in refused(pl.fit, "lenet5", "t4").hint


def test_a_value_of_the_wrong_type():
    assert refused(pl.fit, "resnet50", device="nvidia-t4", batch="many").what
    assert "batch" in refused(pl.fit, "resnet50", device="nvidia-t4", batch=object()).what


def test_what_is_no_model():
    assert "int" in refused(pl.weigh, 3).what
    assert refused(pl.load, "no-such-file.onnx").where == "no-such-file.onnx"


def test_an_example_without_a_module():
    assert "torch" in refused(pl.fit, "resnet50", (1, 3, 224, 224), device="nvidia-t4").what


def test_an_array_instead_of_a_shape():
    class Tensor:
        shape = (1, 3, 224, 224)
    error = refused(pl.fit, "resnet50", device="nvidia-t4", input=Tensor())
    assert "tensor" in error.what and "(3, 224, 224)" in error.hint


def test_an_error_has_its_three_parts():
    error = refused(pl.fit, "resnet50", device="nvidia-t4", optimizer="adamm")
    assert error.args == (error.what, error.where, error.hint)
    assert "did you mean" in error.hint
