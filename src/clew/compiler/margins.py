"""How far the token estimate's bound is lowered for each class of piece, written by `python -m benchmarks.token_fit`.

A margin of 0.8 says: of what the core's walk counts for pieces of this class, 0.8 suffices in every text of the calibration; above 1 the
walk itself may count too few. SPREAD, in thousandths of a token, is what is kept of the discount D as the root of SPREAD times D, for texts
too short to even out.
"""

SPREAD = 600
MARGINS = {
    "cjk": 0.99,
    "crumb": 0.99,
    "forms": 1.0,
    "greek_cyrillic": 1.0,
    "hangul": 0.99,
    "indic": 1.0,
    "latin": 1.0,
    "latin_further": 0.93,
    "lower": 0.93,
    "lower_long": 0.92,
    "mixed": 0.97,
    "rare": 1.0,
    "right_to_left": 1.0,
    "signs": 1.0,
    "signs_ascii": 0.97,
    "space": 0.98,
    "stretch": 1.08,
    "title": 0.91,
    "upper": 1.0,
}
