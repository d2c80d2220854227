"""How far the token estimate's bound is lowered for each class of piece, written by `python -m benchmarks.token_fit`.

A margin of 0.8 says: of what the core's walk counts for pieces of this class, 0.8 suffices in every text of the calibration; above 1 the
walk itself may count too few. SPREAD, in thousandths of a token: so much is kept in reserve for each token of
the root of the sum of squares of what the different pieces bring.
"""

SPREAD = 650
MARGINS = {
    "cjk": 0.99,
    "crumb": 0.92,
    "forms": 0.99,
    "greek_cyrillic": 1.01,
    "hangul": 0.99,
    "indic": 1.0,
    "latin": 0.97,
    "latin_further": 0.96,
    "lower": 0.91,
    "lower_long": 0.91,
    "mixed": 0.88,
    "rare": 1.0,
    "right_to_left": 1.0,
    "signs": 1.0,
    "signs_ascii": 0.84,
    "signs_short": 0.86,
    "space": 1.0,
    "stretch": 1.0,
    "title": 0.88,
    "upper": 0.94,
}
