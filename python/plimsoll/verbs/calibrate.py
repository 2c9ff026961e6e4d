"""The verb calibrate."""
# Written by tools/write_python.py from schema/; `make schema` writes it again.
from typing import Dict, Literal, NoReturn, Optional, Sequence, Union, cast

from plimsoll import asking
from plimsoll.answers.calibrate import Calibration


def calibrate(
    device: Optional[str] = None,
    *,
    gemm: Optional[Union[float, str]] = None,
    gemm_dtype: Optional[Literal["f16", "bf16", "tf32", "f32"]] = None,
    bandwidth: Optional[Union[float, str]] = None,
    measured: Optional[Union[Sequence[str], str]] = None,
    source: Optional[str] = None,
    out: Optional[str] = None,
    **unknown: NoReturn,
) -> Calibration:
    """A device with the two numbers that no data sheet tells, measured or fitted to measured steps.

    device: the device: a name of the catalog, 'this', or the path of a device file
    gemm: measured: what a large matrix product reaches, e.g. 71TFLOPS [operations a second]
    gemm_dtype: the number format of that product: f16, bf16, tf32 or f32 (default: f16 where the device has matrix
        units for it, else f32)
    bandwidth: measured: what a copy of a large tensor reaches, bytes read and written together, e.g. 900GB/s [bytes a
        second]
    measured: instead: a measured step of PyTorch, NETWORK:BATCH[:FORMAT][:inference]=TIME, also with :nhwc, :compile
        or :512tokens; may be given several times
    source: how the numbers were measured, for the file (default: 'measured, as given')
    out: write the device file here (default: only shown)

    Returns Calibration. Raises plimsoll.Error.
    """
    fields: Dict[str, object] = {"device": device, "gemm": gemm, "gemm_dtype": gemm_dtype, "bandwidth": bandwidth,
        "measured": measured, "source": source, "out": out}
    return cast(Calibration, asking.ask("calibrate", None, None, fields, unknown))
