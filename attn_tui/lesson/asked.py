"""How predictions are made: the right answer is worked out from the scene, a broken row's too."""

from collections.abc import Callable

import numpy as np

from attn_tui.core.arrays import FloatArray
from attn_tui.lesson.step import Moment, Prediction, Words
from attn_tui.lesson.told import heaviest, name

Answers = tuple[str, ...] | Callable[[Moment], tuple[str, ...]]
"""Two to four answers, or what makes them of the numbers as they are."""

BROKEN = "none of these: the row is broken"
NO_KEY = "no single key"
_MOST_KEYS = 3
"""How many keys there are to choose from."""
_SILENT = np.errstate(all="ignore")
"""An enormous score may well overflow in a question; numpy's warning would end up on the screen."""
RISES, FALLS, STAYS = range(3)
"""The answers about a number, in their order."""


def ask(question: str, answers: Answers, right: Callable[[Moment], int], why: Words) -> Prediction:
    """A question with these answers; a row without a distribution gets one more, which is the right one then."""

    @_SILENT
    def offered(moment: Moment) -> tuple[str, ...]:
        """The answers."""
        made = answers(moment) if callable(answers) else answers
        return made if moment.reading.is_sound else (*made[:_MOST_KEYS], BROKEN)

    @_SILENT
    def chosen(moment: Moment) -> int:
        """The right one."""
        return right(moment) if moment.reading.is_sound else len(offered(moment)) - 1

    @_SILENT
    def explained(moment: Moment) -> str:
        """Why."""
        return why(moment) if moment.reading.is_sound else "There is no distribution at all: mend the scene first."

    return Prediction(question, offered, chosen, explained)


def ask_which(question: str, merit: Callable[[Moment], FloatArray], why: Words) -> Prediction:
    """A question for the key with the largest merit (T,), which is -inf for a key that does not take part."""

    def answers(moment: Moment) -> tuple[str, ...]:
        """Some keys, the right one among them, and none."""
        return (*(name(moment, key) for key in _candidates(moment, merit(moment))), NO_KEY)

    def right(moment: Moment) -> int:
        """The place of the one with the largest merit."""
        best, candidates = winner(merit(moment)), _candidates(moment, merit(moment))
        return len(candidates) if best is None else candidates.index(best)

    return ask(question, answers, right, why)


def winner(merit: FloatArray) -> int | None:
    """The one key with the largest merit, (T,) -> its number; None for a tie, or if none takes part."""
    best = merit.max()
    leading = np.flatnonzero(merit == best)
    return int(leading[0]) if leading.size == 1 and np.isfinite(best) else None


def direction(before: float | None, after: float | None) -> int:
    """Whether a number rises, falls or stays; where it is undefined it stays so."""
    if before is None or after is None or np.isclose(before, after, rtol=1e-9, atol=1e-300):
        return STAYS
    return RISES if after > before else FALLS


def nearest(number: float, candidates: tuple[float, ...]) -> int:
    """Which of some candidates a number is closest to."""
    return int(np.argmin([abs(number - candidate) for candidate in candidates]))


def _candidates(moment: Moment, merit: FloatArray) -> list[int]:
    """The keys to choose from: the one with most merit and those with most weight, in the scene's order."""
    first = int(np.argsort(-merit, kind="stable")[0])
    keys = dict.fromkeys([first, *heaviest(moment)])
    return sorted([key for key in keys if moment.scene.mask[key]][:_MOST_KEYS])
