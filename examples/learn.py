"""An agent that learns Campanile by playing against itself: policy gradients with numpy, nothing else.

Run: python learn.py
"""

import numpy as np

from capomastro.learning.environments import Environment

RNG = np.random.default_rng(7)
env = Environment("campanile", players=2)
weights = np.zeros((env.alphabet.size, env.observer.size + 1), np.float32)
mean_square = np.zeros_like(weights)


def features(seat):
    return np.append(np.minimum(env.observation(seat), 5), 1)


def probabilities(seen, choices):
    logits = weights[choices] @ seen
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


def play(seed, learners):
    """One game: what each learner saw, could choose, and chose; and what the game was worth to each seat."""
    env.reset(seed)
    steps = []
    while not env.is_over:
        choices, seat = np.array(env.choices), env.seat
        if len(choices) == 1:
            env.step(choices[0])
        elif seat in learners:
            seen = features(seat)
            chances = probabilities(seen, choices)
            chosen = RNG.choice(len(choices), p=chances)
            steps.append((seat, seen, choices, chances, chosen))
            env.step(choices[chosen])
        else:
            env.step(RNG.choice(choices))
    return steps, env.returns()


def train(rounds, games=32, rate=0.02):
    """After each round of games against itself, makes what led to wins more likely, and what led to losses less."""
    for number in range(rounds):
        gradient = np.zeros_like(weights)
        for game in range(games):
            steps, worth = play(f"{RNG.integers(2**32)}/{number}/{game}", (0, 1))
            for seat, seen, choices, chances, chosen in steps:
                towards = -chances
                towards[chosen] += 1
                gradient[choices] += worth[seat] * np.outer(towards, seen)
        mean_square[:] = 0.9 * mean_square + 0.1 * gradient**2
        weights[:] += rate * gradient / (np.sqrt(mean_square) + 1e-6)


def against_random(games=200):
    """The share of games won, half a game for a tie."""
    won = [play(f"test/{game}", (game % 2,))[1][game % 2] for game in range(games)]
    return (np.mean(won) + 1) / 2


if __name__ == "__main__":
    print(f"before: {against_random():.0%} won against random players")
    for rounds in (20, 40, 60, 80):
        train(20)
        print(f"after {rounds * 32} games against itself: {against_random():.0%}", flush=True)
