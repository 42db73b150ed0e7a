import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPage } from '#testing/render-page.tsx'
import { ChannelHeader } from './ChannelHeader.tsx'

it('keeps the title of the chat before a description in Arabic', () => {
  renderPage(
    <ChannelHeader
      channel={{ name: 'مكتبة الفريق', description: 'كل ما كتبه الفريق' }}
      chatTitle="Chat"
      onRename={() => undefined}
      isWide={false}
      isSidebarOpen={false}
      onToggleSidebar={() => undefined}
    >
      {null}
    </ChannelHeader>,
  )
  const title = screen.getByText('Chat')
  const description = screen.getByText('كل ما كتبه الفريق')
  expect([title.tagName, description.tagName]).toEqual(['BDI', 'BDI'])
  const line = title.closest('p')
  expect(line?.textContent).toBe('Chat · كل ما كتبه الفريق')
  expect(line?.dir).toBe('')
})
