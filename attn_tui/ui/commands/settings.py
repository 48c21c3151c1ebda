"""Commands that change how scores become weights: temperature, scale and dtype."""

from attn_tui.core.masking import MASK_CONSTANTS
from attn_tui.core.precision import ML_DTYPES, ML_EXTRA, dtypes
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


@command("T", "Adopt the wanted tau", "Settings")
def adopt_temperature(explorer: Explorer) -> None:
    """Take the temperature that gives the wanted peak or entropy of the Temperature view, whichever was typed last."""
    try:
        tau = explorer.options.wanted_temperature(explorer.reading)
    except ValueError as reason:
        explorer.say(str(reason))
        return
    explorer.apply(lambda scene: edits.set_temperature(scene, tau), f"tau = {tau:.6g}")


@command("b", "Next dtype", "Settings")
def next_dtype(explorer: Explorer) -> None:
    """Compute every step in the next dtype: float64, float32, float16, and bfloat16 and float8 with the ml extra."""
    there, now = dtypes(), explorer.scene.dtype
    after = there[(there.index(now) + 1) % len(there)] if now in there else there[0]
    explorer.apply(lambda scene: edits.set_dtype(scene, after), f"dtype {after}")
    if missing := [name for name in ML_DTYPES if name not in there]:
        explorer.say(f"dtype {after}; {missing[0]} and {len(missing) - 1} more are skipped: {ML_EXTRA} gets them")


@command("O", "Scale before or after the product", "Settings")
def scale_order(explorer: Explorer) -> None:
    """In the Stability view, apply the scale to the query before the product, or to the score after it."""
    explorer.set_options(scale_query_first=not explorer.options.scale_query_first)
    order = "to the query, before" if explorer.options.scale_query_first else "to the score, after"
    explorer.say(f"Stability: the scale is applied {order} the product")


@command("W", "Wide sums", "Settings")
def wide_sums(explorer: Explorer) -> None:
    """In the Stability view, sum the dot product in float32 and round it once, or round every step to the dtype."""
    explorer.set_options(wide_dot=not explorer.options.wide_dot)
    sums = "in float32, rounded once" if explorer.options.wide_dot else "in the dtype, every step rounded"
    explorer.say(f"Stability: dot products are summed {sums}")


@command("E", "Next mask constant", "Settings")
def next_mask_constant(explorer: Explorer) -> None:
    """In the Stability view, mask by adding the next number to the scores: -inf, the dtype's lowest, -1e4, -1e9."""
    after = (explorer.options.mask_constant + 1) % len(MASK_CONSTANTS)
    explorer.set_options(mask_constant=after)
    explorer.say(f"Stability: masked scores get {MASK_CONSTANTS[after]} added, beside the right result")
