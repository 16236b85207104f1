"""Colours as people see them: contrast, and the distance of two colours with and without colour blindness."""

BLIND = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""How colours are seen, as matrices on linear RGB (Machado, Oliveira and Fernandes 2009, severity 1)."""

Triple = tuple[float, float, float]


def linear(colour: str) -> Triple:
    """Linear RGB, each from 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))

    def straight(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return straight(red), straight(green), straight(blue)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2."""
    weights = (0.2126, 0.7152, 0.0722)
    lights = sorted(sum(w * v for w, v in zip(weights, linear(colour), strict=True)) for colour in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def lab(rgb: Triple) -> Triple:
    """CIE L*a*b*, white D65."""
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1.0, 1.089)
    x, y, z = (
        sum(w * v for w, v in zip(row, rgb, strict=True)) / whole for row, whole in zip(to_xyz, white, strict=True)
    )

    def root(value: float) -> float:
        return float(value ** (1 / 3)) if value > 0.008856 else 7.787 * value + 16 / 116

    return 116 * root(y) - 16, 500 * (root(x) - root(y)), 200 * (root(y) - root(z))


def difference(one: str, other: str, seen: str) -> float:
    """ΔE (1976), as seen with a given colour vision."""

    def through(colour: str) -> Triple:
        rgb = linear(colour)
        red, green, blue = (
            min(max(sum(w * v for w, v in zip(row, rgb, strict=True)), 0.0), 1.0) for row in BLIND[seen]
        )
        return lab((red, green, blue))

    return float(sum((a - b) ** 2 for a, b in zip(through(one), through(other), strict=True)) ** 0.5)
