"""The callbacks in a real training of Lightning and of transformers' Trainer, on the CPU."""
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")

import plimsoll as pl  # noqa: E402
from plimsoll.callbacks import lightning_callback, trainer_callback  # noqa: E402


def test_lightning(tmp_path, capsys):
    lightning = pytest.importorskip("lightning")

    class Small(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(64, 32), torch.nn.ReLU(),
                                           torch.nn.Linear(32, 4))

        def forward(self, x):
            return self.net(x)

        def training_step(self, batch, _):
            return torch.nn.functional.cross_entropy(self(batch[0]), batch[1])

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), 0.1)

    data = torch.utils.data.TensorDataset(torch.randn(64, 1, 8, 8), torch.zeros(64, dtype=torch.long))
    callback = lightning_callback((1, 1, 8, 8), steps=3)
    trainer = lightning.Trainer(max_epochs=1, accelerator="cpu", logger=False, enable_checkpointing=False,
                                enable_progress_bar=False, default_root_dir=tmp_path, callbacks=[callback])
    module = Small()
    trainer.fit(module, torch.utils.data.DataLoader(data, batch_size=8))
    assert trainer.global_step == 8
    said = capsys.readouterr().out
    assert said.count("predicted") == 1 and "no prediction" not in said
    assert callback.watch.question["batch"] == 8 and callback.watch.question["optimizer"] == "sgd"
    result = callback.watch.result
    assert result.steps == 3 and result.predicted_bytes > 0
    assert result.predicted_seconds > 0 and result.measured_seconds > 0


def test_the_trainer_of_transformers(tmp_path, capsys):
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("accelerate")
    config = transformers.GPT2Config(n_layer=2, n_embd=64, n_head=4, vocab_size=100, n_positions=32)
    model = transformers.GPT2LMHeadModel(config)
    samples = [{"input_ids": torch.zeros(16, dtype=torch.long), "labels": torch.zeros(16, dtype=torch.long)}] * 16
    arguments = transformers.TrainingArguments(tmp_path, per_device_train_batch_size=4, max_steps=4, report_to=[],
                                               use_cpu=True, disable_tqdm=True, save_strategy="no")
    callback = trainer_callback(sequence=16, steps=3)
    transformers.Trainer(model, arguments, train_dataset=samples, callbacks=[callback]).train()
    said = capsys.readouterr().out
    assert said.count("predicted") == 1 and "no prediction" not in said
    result = callback.watch.result
    expected = pl.fit(model, sequence=16, batch=4, brief=True, device="this", framework="pytorch", optimizer="adamw")
    assert result.predicted_bytes == expected.allocated_bytes and result.measured_seconds > 0
