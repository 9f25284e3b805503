"""Gradients of the soft answers of sm and rrwm with respect to a dense K.

Every step of the two iterations is differentiated, from the last to the first (reverse mode): a
function pull_back_x takes the gradient G of a loss with respect to an answer X and returns the
gradient with respect to K. Nothing here needs torch; tensors.py hands the gradients to it.
"""

from gmtoolbox.core.lazy import np


def pull_back_power(K, G, n_iter):
    """Return the gradient of K from that of the vector (n1, n2) after n_iter power iterations.

    u = W v,  v' = u / |u|:    g_u = (g - v' (v' g)) / |u|,  dW += g_u v',  g = W' g_u
    """
    W, g = symmetric(K), G.T.ravel()
    states = [np.full(len(W), 1 / np.sqrt(len(W)))]
    lengths = []
    for _ in range(n_iter):
        image = W @ states[-1]
        lengths.append(np.linalg.norm(image))
        states.append(image / lengths[-1])
    pulled = np.empty((n_iter, len(W)))
    for k in reversed(range(n_iter)):
        pulled[k] = (g - states[k + 1] * (states[k + 1] @ g)) / lengths[k]
        g = W @ pulled[k]
    return symmetric(pulled.T @ np.array(states[:-1]).reshape(n_iter, -1))


def pull_back_walk(K, G, n_iter, *, c, amp_max, sweeps, tolC):
    """Return the gradient of K from that of the walk (n1, n2) after n_iter steps of rrwm.

        r = M (c s + (1 - c) a),  q = r / sum r:    g_r = (g - q g) / sum r,  dM += g_r mixed'
        s' = q,  a' = jump(q)

    M is K without the pairs that conflict (solvers/rrwm.py); its scale does not matter, since q has
    sum 1.
    """
    n1, n2 = G.shape
    M = symmetric(K) * compatible(n1, n2)
    n = max(n1, n2)
    s = a = np.full(n1 * n2, 1.0 / (n * n))
    steps = []
    for k in range(n_iter):
        mixed = c * s + (1 - c) * a
        image = M @ mixed
        s = image / image.sum()
        jump = Jump(s, (n1, n2), amp_max, sweeps, tolC) if k + 1 < n_iter else None
        a = None if jump is None else jump.a
        steps.append((mixed, image.sum(), s, jump))
    of_s, of_a = G.T.ravel(), None
    pulled = np.empty((n_iter, n1 * n2))
    for k in reversed(range(n_iter)):
        _, total, s, jump = steps[k]
        g = of_s if jump is None else of_s + jump.pull_back(of_a)
        pulled[k] = (g - s @ g) / total
        back = M @ pulled[k]
        of_s, of_a = c * back, (1 - c) * back
    gradient = pulled.T @ np.array([step[0] for step in steps]).reshape(n_iter, -1)
    return symmetric(gradient * compatible(n1, n2))


class Jump:
    """The jump a of a walk q, with its steps: inflation, Sinkhorn sweeps, division by the sum.

    x = exp(amp_max q / max q), 1 on dummies;   x <- x / its row sums, then / its column sums
    """

    def __init__(self, q, shape, amp_max, sweeps, tolC):
        self.q, self.shape, self.amp_max = q, shape, amp_max
        n1, n2 = shape
        n = max(shape)
        X = np.ones((n, n))
        X[:n1, :n2] = np.exp(amp_max / q.max() * q).reshape(n2, n1).T
        self.inflated, self.halves = X, []
        for _ in range(sweeps):
            before = X
            for axis in (1, 0):
                sums = X.sum(axis=axis, keepdims=True)
                X = X / sums
                self.halves.append((axis, sums, X))
            if ((X - before) ** 2).sum() < tolC**2:
                break
        self.balanced, self.total = X, X.sum()
        self.a = X[:n1, :n2].T.ravel() / self.total

    def pull_back(self, g):
        """Return the gradient of q from that of a."""
        n1, n2 = self.shape
        G = np.zeros_like(self.balanced)
        G[:n1, :n2] = g.reshape(n2, n1).T
        G = (G - (G * self.balanced).sum() / self.total) / self.total
        for axis, sums, X in reversed(self.halves):
            G = (G - (G * X).sum(axis=axis, keepdims=True)) / sums
        power = (G * self.inflated)[:n1, :n2].T.ravel() * self.amp_max  # g of q / max q
        largest = int(np.argmax(self.q))
        of_q = power / self.q[largest]
        of_q[largest] -= (power @ self.q) / self.q[largest] ** 2
        return of_q


def symmetric(K):
    """Return (K + K') / 2, the part of K that counts."""
    return (K + K.T) / 2


def compatible(n1, n2):
    """Return 1 on the diagonal and for candidates (row left + n1 * right) without a conflict."""
    left, right = np.tile(np.arange(n1), n2), np.repeat(np.arange(n2), n1)
    conflict = (left[:, None] == left) | (right[:, None] == right)
    np.fill_diagonal(conflict, False)
    return (~conflict).astype(float)
