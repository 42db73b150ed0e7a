declare module 'word-extractor' {
  interface WordText {
    getBody(options?: { filterUnicode?: boolean }): string
    getFootnotes(options?: { filterUnicode?: boolean }): string
    getEndnotes(options?: { filterUnicode?: boolean }): string
    getTextboxes(options?: { filterUnicode?: boolean; includeHeadersAndFooters?: boolean }): string
  }
  // biome-ignore lint/style/noDefaultExport: the package is made so
  export default class WordExtractor {
    extract(source: Buffer): Promise<WordText>
  }
}
