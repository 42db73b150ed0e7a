const denseScripts =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu

/**
 * Tokens of a text, roughly: for answers whose provider reports no usage and for budgets. Never loads a tokenizer,
 * whose tables would cost more memory than everything else the assistant holds.
 */
export function estimateTokens(text: string): number {
  const dense = text.match(denseScripts)?.length ?? 0
  return Math.ceil(dense / 1.3 + (text.length - dense) / 3.8)
}
