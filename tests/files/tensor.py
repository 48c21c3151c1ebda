"""A tensor that refuses what torch's refuses: for machines without torch."""

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Tensor:
    """As torch.Tensor: NumPy gets it only from the CPU, without a history, and in a dtype that NumPy has."""

    def __init__(
        self,
        array: Any,
        device: str = "cpu",
        requires_grad: bool = False,
        layout: str = "torch.strided",
        is_quantized: bool = False,
        breaks: str = "",
    ) -> None:
        self.array, self.on, self.requires_grad = np.asarray(array), device, requires_grad
        self.layout, self.is_quantized, self.breaks = layout, is_quantized, breaks

    @property
    def dtype(self) -> str:
        return f"torch.{self.array.dtype.name}"

    @property
    def device(self) -> SimpleNamespace:
        return SimpleNamespace(type=self.on)

    def detach(self) -> "Tensor":
        return self._with(requires_grad=False)

    def cpu(self) -> "Tensor":
        return self._with(device="cpu")

    def double(self) -> "Tensor":
        with np.errstate(invalid="ignore"):
            return self._with(array=self.array.astype(np.float64))

    def numpy(self) -> NDArray[np.generic]:
        if self.breaks:
            raise RuntimeError(self.breaks)
        if self.requires_grad:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
        if self.on != "cpu":
            raise TypeError(f"can't convert {self.on}:0 device type tensor to numpy.")
        if self.array.dtype.kind == "V":
            raise TypeError("Got unsupported ScalarType BFloat16")
        return self.array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[np.generic]:
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def _with(self, **changes: Any) -> "Tensor":
        now = {
            "array": self.array, "device": self.on, "requires_grad": self.requires_grad,
            "layout": self.layout, "is_quantized": self.is_quantized, "breaks": self.breaks,
        }  # fmt: skip
        return Tensor(**(now | changes))
