/** A reply with all elements that models write. Used by tests only. */
export const sampleReply = `## Spring constants

A spring costs **about $5** and then *maybe* $10 more, see [the manual](https://example.org/manual?x=1) [1].
Inline \\(k = \\frac{F}{x}\\) and $E = \\tfrac12 kx^2$ belong to \`hooke(k, x)\`.

$$
F = -kx
$$

\\[ \\omega = \\sqrt{k/m} \\]

1. First with **bold [link](https://example.org)**

2. Second with ~~old~~ text
   - nested \`code\`

| Load | Shift |
|-----:|:------|
| **1 N** | $x_1$ |
| 2 N | \\(x_2\\) |

\`\`\`python
def shift(f, k):
    # $not$ **maths**
    return f / k
\`\`\`

> A quote with **weight** and $a_0$.

\\begin{align}
a &= b \\\\
c &= d
\\end{align}

Title underlined
----------------

- [x] done
- [ ] open

![a picture](https://example.org/p.png) ends it [2].
`
