import { createRandom, createRandomText } from '../random-text.ts'

/** The average length of a model's tokens. */
const charactersPerToken = 4

const code = `\`\`\`python
def shift(force, stiffness):
    # the spring gives way in proportion
    if stiffness == 0:
        raise ValueError("no spring")
    return force / stiffness
\`\`\``

const table = `| Load | Shift | Energy |
|-----:|:------|-------:|
| 1 N | $x_1$ | 0.5 J |
| 2 N | $x_2$ | **2.0 J** |
| 3 N | 3 cm | 4.5 J |`

/** About 300 tokens of typical output: four formulas, code, and a table in every second section. */
function createSection(number: number): string {
  const random = createRandom(number)
  function words(count: number): string {
    return createRandomText(random, count)
  }
  return [
    `## Part ${number}: ${words(4)}`,
    `${words(20)} Inline $E = \\tfrac12 k x^2$ and \\(k = \\frac{F}{x_{${number}}}\\) belong to **${words(3)}** and to \`hooke(k, x)\`. ${words(16)}`,
    `$$\n\\omega_{${number}} = \\sqrt{\\frac{k}{m}} = 2\\pi \\int_0^{T} f(t)\\,dt\n$$`,
    `- ${words(9)}\n- *${words(5)}* with $a_{${number}} = b^2$\n- ${words(9)}`,
    code,
    number % 2 === 0 ? table : `> ${words(18)}`,
    words(24),
  ].join('\n\n')
}

/** Returns a reply as an array of `count` tokens. */
export function createReplyTokens(count: number): string[] {
  const length = count * charactersPerToken
  let text = ''
  for (let number = 1; text.length < length; number += 1) text += `${createSection(number)}\n\n`
  return Array.from({ length: count }, (_, at) =>
    text.slice(at * charactersPerToken, (at + 1) * charactersPerToken),
  )
}

/** Returns the number in the last heading of a reply with this many tokens. */
export function findLastPart(tokens: number): number {
  return Number(
    [
      ...createReplyTokens(tokens)
        .join('')
        .matchAll(/^## Part (\d+): /gm),
    ].at(-1)?.[1],
  )
}

/** The texts of a long chat: half of them are replies in Markdown, and every fifth reply has formulas. */
export function createMessageText(number: number): string {
  const random = createRandom(number)
  function words(count: number): string {
    return createRandomText(random, count)
  }
  const name = `Message ${number}.`
  if (number % 2 === 0) return `${name} ${words(14)}`
  if (number % 5 === 1)
    return `${name} ${words(20)}\n\n$$\nF_{${number}} = -k x\n$$\n\n${words(12)} where $x_{${number}} = \\frac{a}{b}$ holds.`
  return `${name} **${words(3)}** ${words(20)}\n\n1. ${words(8)}\n2. ${words(8)}\n\n${number % 4 === 1 ? code : words(30)}`
}
