import { describe, expect, it } from 'vitest'
import { detectWordLanguage, parseQueryWords, selectContentWords, toTerms } from './analyze.ts'
import type { Language } from './languages.ts'
import { splitWords } from './word-splitter.ts'

function detect(text: string): Language {
  return detectWordLanguage(splitWords(text))
}
function listTerms(text: string, language: Language): string[] {
  return toTerms(splitWords(text), language)
}
function listVariants(question: string, ...languages: Language[]): string[][] {
  return parseQueryWords(question, languages).map(({ variants }) => variants)
}

describe('detectWordLanguage', () => {
  it.each<[Language, string]>([
    ['romanian', 'Pentru a instala sistemul, trebuie să porniți calculatorul de pe un stick USB.'],
    ['spanish', 'Para instalar el sistema hay que arrancar el ordenador desde una memoria USB.'],
    [
      'turkish',
      'Sistemi kurmak için bilgisayarı bir USB bellekten başlatmanız ve bu adımları izlemeniz gerekir.',
    ],
    ['greek', 'Για να εγκαταστήσετε το σύστημα πρέπει να ξεκινήσετε τον υπολογιστή από ένα USB.'],
    ['arabic', 'يجب أن تقوم بتشغيل الحاسوب من ذاكرة USB في هذه الحالة حتى يتم تثبيت النظام.'],
    ['hindi', 'सिस्टम को स्थापित करने के लिए आप कंप्यूटर को यूएसबी से चालू कर सकते हैं।'],
    ['vietnamese', 'Để cài đặt hệ thống, bạn phải khởi động máy tính từ một thanh USB và làm theo các bước.'],
    ['ukrainian', 'Щоб встановити систему, потрібно запустити комп’ютер із накопичувача, який є у вас.'],
    [
      'norwegian',
      'Etter at du har lastet ned filen, er det ikke mye som gjenstår: start maskinen fra en minnepinne.',
    ],
    ['danish', 'For at installere systemet skal du starte computeren fra en nøgle, som du har lavet.'],
    [
      'finnish',
      'Kun asennat järjestelmän, se on käynnistettävä muistitikulta, joka on tehty ja tarkistettu.',
    ],
    [
      'hungarian',
      'A rendszer telepítéséhez a gépet egy USB-kulcsról kell indítani, és ez nem vagy csak ritkán nehéz.',
    ],
    [
      'indonesian',
      'Untuk memasang sistem, anda harus menyalakan komputer dari kunci USB yang dibuat dengan alat ini.',
    ],
  ])('finds %s', (language, text) => expect(detect(text)).toBe(language))

  it('takes Chinese and Thai with a few Latin words for no other language', () => {
    expect(
      detect('安装程序会询问您是否要使用 La Poste 的 de facto 标准服务器 et cetera 并继续安装系统'),
    ).toBe('other')
    expect(detect('โปรแกรมติดตั้งจะถามว่าคุณต้องการใช้ de facto la carte et cetera หรือไม่')).toBe('other')
  })
})

describe('toTerms', () => {
  it.each<[Language, string]>([
    ['turkish', 'dosya dosyalar dosyaları dosyaların'],
    ['arabic', 'ملف الملف الملفات'],
    ['romanian', 'fișier fișiere fișierele'],
    ['romanian', 'informație informații informaţii informațiile informatii'],
    ['greek', 'αρχείο αρχεία αρχείων'],
    ['hindi', 'किताब किताबें किताबों'],
    ['finnish', 'tiedosto tiedoston'],
    ['hungarian', 'fájl fájlok'],
    ['ukrainian', 'документ документи документів'],
  ])('gives the forms of a word in %s one term', (language, text) =>
    expect(new Set(listTerms(text, language)).size).toBe(1),
  )

  it('keeps Vietnamese words apart that differ in their marks only', () => {
    expect(new Set(listTerms('bá bà bả bã bạ ba', 'vietnamese')).size).toBe(6)
    expect(listTerms('hoà thuý', 'vietnamese')).toEqual(listTerms('hòa thúy', 'vietnamese'))
  })

  it('splits Thai and Lao between letters, not between a letter and its signs', () => {
    expect(listTerms('น้ำมัน', 'other')).toEqual(['น้ำมั', 'มัน'])
    expect(listTerms('ນ້ຳມັນ', 'other')).toEqual(['ນ້ຳມັ', 'ມັນ'])
  })
})

describe('parseQueryWords', () => {
  it('counts how often the question has a word', () => {
    const words = parseQueryWords('Which backup keeps the backups of a backup?', ['english'])
    expect(words.map(({ variants, count }) => [variants[0], count])).toEqual([
      ['backup', 3],
      ['keep', 1],
    ])
  })

  it('looks for a marked Vietnamese word only with its marks, also beside other languages', () => {
    expect(listVariants('mật khẩu của bạn', 'vietnamese', 'english')).toEqual([['mật'], ['khẩu']])
  })

  it('looks for an unmarked one with any marks', () => {
    expect(listVariants('mat khau', 'vietnamese')).toEqual([['0mat'], ['0khau']])
  })

  it('looks for it in documents of other languages, too', () => {
    expect(listVariants('mat khau', 'vietnamese', 'english')).toEqual([
      ['mat', '0mat'],
      ['khau', '0khau'],
    ])
  })

  it('looks for English words as they are, beside Vietnamese documents', () => {
    const question = 'How can I change the password of my account?'
    expect(
      listVariants(question, 'vietnamese', 'english')
        .flat()
        .filter((term) => term.startsWith('0')),
    ).toEqual([])
  })
})

describe('selectContentWords', () => {
  it('removes the stop words of the language of a question only', () => {
    const words = selectContentWords('What is the war in the novel about?', ['english', 'german'])
    expect(words.map(({ text }) => text)).toEqual(['war', 'novel'])
  })
})
