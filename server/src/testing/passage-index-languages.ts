import { expect, it } from 'vitest'
import type { PassageHit, PassageIndex } from '#providers/passage-index/port.ts'
import { generation, ids, passage, searchIndex } from './passage-index-samples.ts'

/** The cases of the compliance suite about words and languages. */
export function describeSearchByWords(getIndex: () => PassageIndex): void {
  function search(text: string): Promise<PassageHit[]> {
    return searchIndex(getIndex(), text)
  }

  it('finds inflected English words and weighs rare words more', async () => {
    await getIndex().add(generation('g1'), [
      passage('p1', 'The policies of the company describe how employees are travelling to the harbour.'),
      passage('p2', 'The company pays the employees of the company on the last day of the month.'),
      passage('p3', 'The company was founded by two employees of another company in the north.'),
    ])
    const hits = await search('What is the policy for employees who travel?')
    expect(ids(hits)[0]).toBe('p1')
    expect(hits[0]?.coverage).toBe(1)
    expect(hits[1]?.coverage).toBeLessThan(0.5)
    expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).toSorted((a, b) => b - a))
  })

  it('searches title, headings and text', async () => {
    await getIndex().add(generation('g1'), [
      passage('p1', 'Eighty euros are paid.', {
        title: 'Travel policy',
        headingPath: ['Staying away', 'Norway'],
      }),
      passage('p2', 'Fifty euros are paid.', {
        title: 'Travel policy',
        headingPath: ['Staying away', 'France'],
      }),
    ])
    expect(ids(await search('allowance in Norway'))).toEqual(['p1'])
    expect((await search('travel policy Norway'))[0]).toMatchObject({ passageId: 'p1', coverage: 1 })
  })

  it('prefers passages in which the words of the question stand close together', async () => {
    const filler = 'ropes sails masts decks hulls keels winds waves coast ports'
    await getIndex().add(generation('g1'), [
      passage('apart', `The anchor ${filler} ${filler} ${filler} of bronze is heavy.`),
      passage('close', `The bronze anchor ${filler} ${filler} ${filler} is heavy.`),
      ...Array.from({ length: 8 }, (_, n) => passage(`other-${n}`, `${filler} ${n}`)),
    ])
    const [close, apart] = await search('bronze anchor')
    expect([close?.passageId, apart?.passageId]).toEqual(['close', 'apart'])
    expect([close?.coverage, apart?.coverage]).toEqual([1, 1])
    expect(close?.match).toBe(1)
    expect(apart?.match).toBeLessThan(0.9)
  })

  it('reports half the match for a passage with only one of the words', async () => {
    await getIndex().add(generation('g1'), [
      passage('one', 'The anchor hangs at the bow.'),
      passage('two', 'The rudder and the keel are new.'),
    ])
    const [one] = await search('Is the anchor made of titanium or bronze?')
    expect(one?.match).toBeCloseTo((one?.coverage ?? 0) / 2)
    const [two] = await search('Are the rudder and the keel made of bronze?')
    expect(two?.match).toBeCloseTo(two?.coverage ?? 0)
  })

  it('gives words more weight that the question repeats', async () => {
    await getIndex().add(generation('g1'), [
      passage('once', 'Compasses are kept in the wheelhouse of the vessel.'),
      passage('often', 'Lanterns are kept in the wheelhouse of the vessel.'),
    ])
    const question = 'A lantern or a compass: which lantern, and whose lantern?'
    expect(ids(await search(question))[0]).toBe('often')
    expect(ids(await search('A compass or a lantern: which compass, and whose compass?'))[0]).toBe('once')
  })

  it('reports how much of the question a passage covers', async () => {
    await getIndex().add(generation('g1'), [passage('p1', 'The anchor hangs at the bow.')])
    const [hit] = await search('Is the anchor made of titanium or bronze?')
    expect(hit?.coverage).toBeGreaterThan(0)
    expect(hit?.coverage).toBeLessThan(0.5)
    expect(await search('Who won the football championship?')).toEqual([])
    expect(await search('what is it about?')).toEqual([])
  })

  it('ignores accents, case, width and number format', async () => {
    await getIndex().add(generation('g1'), [
      passage('p1', 'The CAFÉ in Malmö costs 1,200 crowns, see form W14.'),
    ])
    for (const text of ['cafe', 'malmo', 'ＣＡＦＥ', '1200', 'w14'])
      expect(ids(await search(text))).toEqual(['p1'])
  })

  it('stems German and English passages by their own rules', async () => {
    await getIndex().add(generation('g1'), [
      passage(
        'de',
        'Die Mitarbeiter haben Anspruch auf dreißig Urlaubstage, und die Anträge werden von den Leitern geprüft.',
      ),
      passage('en', 'Everybody has a claim to thirty days, and the requests are checked by the team leads.'),
    ])
    expect(ids(await search('Wer prüft den Antrag der Mitarbeiterin oder des Mitarbeiters?'))[0]).toBe('de')
    expect(ids(await search('Who is checking a request?'))).toEqual(['en'])
  })

  it.each([
    ['Japanese', '有給休暇は一年に二十八日です。', '作業場は朝七時に開きます。', '有給休暇は何日ですか'],
    ['Chinese', '员工每年有二十八天带薪假期。', '车间早上七点开门。', '带薪假期有多少天'],
    ['Thai', 'พนักงานมีวันลาพักร้อนยี่สิบแปดวัน', 'โรงงานเปิดเจ็ดโมงเช้า', 'วันลาพักร้อน'],
    ['Korean', '직원은 연차휴가를 이십팔 일 받는다.', '작업장은 아침 일곱 시에 연다.', '연차휴가는 며칠'],
    [
      'Russian',
      'Сотрудники получают двадцать восемь дней отпуска в год, и это не зависит от должности.',
      'Мастерская открывается в семь часов утра, а закрывается в пять.',
      'сколько дней отпусков получает сотрудник',
    ],
    [
      'Turkish',
      'Bu belgede dosyaların nasıl silindiği ve geri alındığı için gereken adımlar anlatılır.',
      'Bu belgede yazıcı için gereken kağıt ve mürekkep ile ilgili bilgiler bulunur.',
      'dosyayı geri almak',
    ],
    [
      'Arabic',
      'يمكن حذف الملفات من خلال القائمة، وهذا لا يتم إلا بعد تأكيد ذلك.',
      'يمكن طباعة الصور من خلال القائمة، وهذا لا يتم إلا مع الورق.',
      'حذف ملف',
    ],
    [
      'Vietnamese',
      'Để bảo mật, mật khẩu của bạn phải có tám ký tự và không được trùng với tên.',
      'Để nấu món này, bạn cho mắt cá và khâu nhỏ vào trong nồi rồi đun với lửa.',
      'mật khẩu dài bao nhiêu ký tự',
    ],
    [
      'Vietnamese, for a question without marks',
      'Để bảo mật, mật khẩu của bạn phải có tám ký tự và không được trùng với tên.',
      'Để nấu món này, bạn cho thịt gà vào trong nồi rồi đun với lửa nhỏ.',
      'mat khau dai bao nhieu ky tu',
    ],
    ['Chinese, for a single character', '我家有猫和狗。', '今天下雨。', '猫'],
  ])('finds the passage in %s', async (_, wanted, other, question) => {
    await getIndex().add(generation('g1'), [passage('wanted', wanted), passage('other', other)])
    expect(ids(await search(question))[0]).toBe('wanted')
    expect((await search(question))[0]?.coverage).toBeGreaterThan(0.3)
  })
}
