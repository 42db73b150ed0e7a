declare module 'snowball-stemmers' {
  interface Stemmer {
    stem(word: string): string
  }
  const snowball: { newStemmer(algorithm: string): Stemmer }
  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export default snowball
}
