import type { Turn } from './conversations.ts'

function createProduct(index: number): Turn {
  const [a, b] = [13 + ((index * 7) % 80), 12 + ((index * 11) % 77)]
  const [tens, ones] = [Math.floor(b / 10) * 10, b % 10]
  return {
    question: `What is ${a} × ${b}?`,
    reply: `Split the second factor: $${a} \\cdot ${tens} = ${a * tens}$ and $${a} \\cdot ${ones} = ${a * ones}$. Together **${a * b}**.`,
  }
}

function createPercentage(index: number): Turn {
  const [percent, base] = [5 * (1 + (index % 15)), 40 * (3 + (index % 23))]
  return {
    question: `And ${percent}% of ${base}?`,
    reply: `One percent of ${base} is ${base / 100}, so ${percent}% is $${percent} \\cdot ${base / 100} =$ **${(percent * base) / 100}**.`,
  }
}

function createSquare(index: number): Turn {
  const near = 51 + (index % 36)
  const off = near - 50
  return {
    question: `Quick way for ${near}²?`,
    reply: `From fifty: $(50 + ${off})^2 = 2500 + 100 \\cdot ${off} + ${off}^2 =$ **${near * near}**.`,
  }
}

function createSum(index: number): Turn {
  const last = 10 + index
  return {
    question: `Sum of the whole numbers from 1 to ${last}?`,
    reply: `Pair the ends: $\\frac{${last} \\cdot ${last + 1}}{2} =$ **${(last * (last + 1)) / 2}**.`,
  }
}

function createDistance(index: number): Turn {
  const [minutes, speed] = [12 + (index % 6) * 6, 40 + (index % 9) * 10]
  return {
    question: `How far do I get in ${minutes} minutes at ${speed} km/h?`,
    reply: `${minutes} minutes is ${minutes / 60} hours, so $${speed} \\cdot ${minutes / 60} =$ **${(speed * minutes) / 60} km**.`,
  }
}

const generators = [createProduct, createPercentage, createSquare, createSum, createDistance]

/** A long chat for testing scrolling: a user practices for an entrance test, and every answer is right. */
export function createPracticeTurns(turns: number): Turn[] {
  return Array.from({ length: turns }, (_, index) =>
    (generators[index % generators.length] ?? createProduct)(index),
  )
}
