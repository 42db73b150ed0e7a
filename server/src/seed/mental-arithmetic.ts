import type { Turn } from './conversations.ts'

function product(at: number): Turn {
  const [a, b] = [13 + ((at * 7) % 80), 12 + ((at * 11) % 77)]
  const [tens, ones] = [Math.floor(b / 10) * 10, b % 10]
  return {
    question: `What is ${a} × ${b}?`,
    reply: `Split the second factor: $${a} \\cdot ${tens} = ${a * tens}$ and $${a} \\cdot ${ones} = ${a * ones}$. Together **${a * b}**.`,
  }
}

function percentage(at: number): Turn {
  const [percent, of] = [5 * (1 + (at % 15)), 40 * (3 + (at % 23))]
  return {
    question: `And ${percent}% of ${of}?`,
    reply: `One percent of ${of} is ${of / 100}, so ${percent}% is $${percent} \\cdot ${of / 100} =$ **${(percent * of) / 100}**.`,
  }
}

function square(at: number): Turn {
  const near = 51 + (at % 36)
  const off = near - 50
  return {
    question: `Quick way for ${near}²?`,
    reply: `From fifty: $(50 + ${off})^2 = 2500 + 100 \\cdot ${off} + ${off}^2 =$ **${near * near}**.`,
  }
}

function sum(at: number): Turn {
  const last = 10 + at
  return {
    question: `Sum of the whole numbers from 1 to ${last}?`,
    reply: `Pair the ends: $\\frac{${last} \\cdot ${last + 1}}{2} =$ **${(last * (last + 1)) / 2}**.`,
  }
}

function speed(at: number): Turn {
  const [minutes, hourly] = [12 + (at % 6) * 6, 40 + (at % 9) * 10]
  return {
    question: `How far do I get in ${minutes} minutes at ${hourly} km/h?`,
    reply: `${minutes} minutes is ${minutes / 60} hours, so $${hourly} \\cdot ${minutes / 60} =$ **${(hourly * minutes) / 60} km**.`,
  }
}

const kinds = [product, percentage, square, sum, speed]

/** A long chat for testing scrolling: a user practises for an entrance test, and every answer is right. */
export function createPracticeTurns(turns: number): Turn[] {
  return Array.from({ length: turns }, (_, at) => (kinds[at % kinds.length] ?? product)(at))
}
