const denseScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu

/**
 * Estimates the tokens of a text, for budgets and for providers that report no usage. A tokenizer would be exact, but
 * its tables need more memory than the rest of the assistant.
 */
export function estimateTokens(text: string): number {
  const dense = text.match(denseScripts)?.length ?? 0
  return Math.ceil(dense / 1.3 + (text.length - dense) / 3.8)
}
