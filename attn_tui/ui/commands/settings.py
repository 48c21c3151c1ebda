"""Commands that change how scores become weights: temperature, scale and dtype."""

from attn_tui.core.precision import NUMPY_DTYPES
from attn_tui.files.scales import format_scale, parse_scale
from attn_tui.model import edits
from attn_tui.ui.commands.command import Declared
from attn_tui.ui.explorer import Explorer
from attn_tui.ui.screens.prompt import Prompt

COMMANDS = Declared()
command = COMMANDS.command


@command("t", "Temperature", "Settings", footer="tau", footer_place=2)
def temperature(explorer: Explorer) -> None:
    """Type another temperature tau; everything follows as you type."""
    explorer.pen.begin(explorer.temperature)


@command("less_than_sign", "Cooler", "Settings")
def cooler(explorer: Explorer) -> None:
    """Lower the temperature by a tenth: the weights sharpen."""
    explorer.apply(lambda scene: edits.step_temperature(scene, -1), "cooler")


@command("greater_than_sign", "Warmer", "Settings")
def warmer(explorer: Explorer) -> None:
    """Raise the temperature by a tenth: the weights flatten."""
    explorer.apply(lambda scene: edits.step_temperature(scene, 1), "warmer")


@command("s", "Scale 1 or 1/sqrt(hs)", "Settings")
def scale(explorer: Explorer) -> None:
    """Switch the scale between 1 and 1/sqrt(hs), which models use."""
    other = 1.0 if explorer.scene.scale == "sqrt" else "sqrt"
    explorer.apply(lambda scene: edits.set_scale(scene, other), f"scale {format_scale(other)}")


@command("S", "Set the scale", "Settings")
def set_scale(explorer: Explorer) -> None:
    """Type another scale: a number, or sqrt for 1/sqrt(hs)."""
    now = explorer.scene.scale

    def check(text: str) -> None:
        """Refuse what is no scale."""
        edits.set_scale(explorer.scene, parse_scale(text))

    def done(text: str) -> None:
        """Take the scale."""
        explorer.apply(lambda scene: edits.set_scale(scene, parse_scale(text)), f"scale {text}")

    explorer.push_screen(Prompt("Scale: a number, or sqrt for 1/sqrt(hs)", format_scale(now), check, done))


@command("b", "Next dtype", "Settings")
def next_dtype(explorer: Explorer) -> None:
    """Compute every step in the next dtype: float64, float32, float16."""
    dtypes = NUMPY_DTYPES
    now = explorer.scene.dtype
    after = dtypes[(dtypes.index(now) + 1) % len(dtypes)] if now in dtypes else dtypes[0]
    explorer.apply(lambda scene: edits.set_dtype(scene, after), f"dtype {after}")
