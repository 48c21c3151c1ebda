"""The stretches of text that the exported script is made of, in the order in which they may follow each other."""

PLAIN = '''

def times(numbers):
    """{strength} * numbers / temperature."""
    return {strength} * numbers / temperature
'''
"""Scaling where it makes no difference how often is rounded."""

EXACT = '''

def times(numbers):
    """{strength} * numbers / temperature, rounded once, and overflowing only where the result does."""
    (a, up), (b, down) = math.frexp({strength}), math.frexp(temperature)
    mantissas, exponents = np.frexp(numbers)
    ratio = Fraction(a) / Fraction(b)
    products = [float(Fraction(m) * ratio) if math.isfinite(m) else m * a for m in mantissas.tolist()]
    return np.ldexp(products, exponents + (up - down))
'''
"""Scaling where it does: temperature and scale are no powers of two, or something overflows on the way."""

FLOAT64 = """

scores = np.vecdot(keys, query)  # the masked keys' too
scaled = times({sign}scores)

# the mask selects: a masked key's score counts for nothing, even where it is nan
signed = np.where(mask, {sign}scores, -np.inf)
below = np.where(mask, {below}, -np.inf)  # the largest is 0: exp cannot overflow

naive_exps = np.exp(np.where(mask, scaled, -np.inf))
naive_weights = naive_exps / naive_exps.sum()
"""
"""From the scores to the exponents."""

SMALL_FLOAT = '''

def rounded(numbers):
    """As {dtype} stores them, in float64."""
    return np.asarray(numbers, dtype=np.float64).astype(np.{dtype}).astype(np.float64)
'''
"""Rounding to a dtype that NumPy has."""

NEAREST = '''

def rounded(numbers):
    """As {dtype} stores them, in float64: {digits} binary digits, ties to even."""
    numbers = np.asarray(numbers, dtype=np.float64)
    step = np.ldexp(1.0, np.maximum(np.frexp(numbers)[1], {lowest}) - {digits})
    nearest = np.rint(numbers / step) * step
    return np.where(np.abs(nearest) > {largest}, np.copysign({beyond}, numbers), nearest)
'''
"""Rounding to a dtype that NumPy has not."""

ROUNDED = '''

def running_sum(terms):
    """Sums along the last axis, rounded after each term."""
    total = terms[..., 0]
    for i in range(1, terms.shape[-1]):
        total = rounded(total + terms[..., i])
    return total


def normalised(exponents):
    """Softmax as a kernel computes it, every step rounded; the mask selects."""
    exps = np.where(mask, rounded(np.exp(exponents)), 0.0)
    return rounded(exps / running_sum(exps))


scores = running_sum(rounded(rounded(query) * rounded(keys)))
scaled = rounded(rounded(scores * rounded(scale)) / rounded(temperature))
shifted = rounded(scaled - scaled[mask].max(initial=-np.inf))
rounded_weights = np.where(mask, normalised(shifted), 0.0)
naive_weights = normalised(scaled)
'''
"""From the scores to the weights, every step rounded."""

FROM_ROUNDED = """
# the entropy is that of these weights, made to sum to 1 in float64
logs = np.log(rounded_weights)
below = np.where(mask, logs - logs.max(), -np.inf)
"""
"""From rounded weights back to exponents."""

RESULT = """
exps = np.exp(below)
first = below.argmax()
rest = np.where(np.arange(exps.size) == first, 0.0, exps).sum()  # the others', which 1 - weight would lose digits of
weights = np.where(mask, exps / (exps[first] + rest), 0.0)
log_weights = below - np.log1p(rest + (exps[first] - 1.0))
entropy = np.where(weights == 0.0, 0.0, weights * -log_weights).sum() + 0.0 if mask.any() else None  # in nats
"""
"""From exponents to weights and their entropy."""

OUTPUT = """output = None if values is None else weights[mask] @ values[mask]
"""
"""The output in float64."""

ROUNDED_OUTPUT = """weights = rounded_weights
output = None
if values is not None:
    output = running_sum(rounded(weights[mask][:, None] * rounded(values[mask])).T)
"""
"""The output in a smaller dtype."""

PRINTED = """
print("key", "q.k", "scaled", "weight", "naive weight", sep="\\t")
for row in zip(labels, scores.tolist(), scaled.tolist(), weights.tolist(), naive_weights.tolist()):
    print(*map(repr, row), sep="\\t")
print("entropy", None if entropy is None else float(entropy), sep="\\t")
if output is not None:
    print("output", *output.tolist(), sep="\\t")
"""
"""The results, with all their digits."""
