import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { expect, type Page } from '@playwright/test'
import { createProgramStorage } from '../server/src/testing/program-storage.ts'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  owner,
  phone,
  test,
  watchConsole,
} from './installation.ts'

/** A program on the user's computer, which waits for the browser at an address of its own. */
async function startProgram(url: string) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (pathname === '/callback') received.push(searchParams)
    response
      .setHeader('content-type', 'text/html')
      .end('<title>Program</title><p>You can close this page.</p>')
  })
  const received: URLSearchParams[] = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { stored, provider } = createProgramStorage(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
  )
  function createTransport() {
    return new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider })
  }
  const client = new Client({ name: 'test', version: '1' })
  return {
    client,
    connect: () => client.connect(createTransport()),
    /** The address at which it asks for the consent of its user. */
    async ask(): Promise<string> {
      await expect(new Client({ name: 'test', version: '1' }).connect(createTransport())).rejects.toThrow(
        UnauthorizedError,
      )
      return String(stored['asked'])
    },
    finish: () => createTransport().finishAuth(received.at(-1) ?? new URLSearchParams()),
    received,
    close: () => server.close(),
  }
}

async function signInHere(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('visitors sign in, allow a program with the keyboard, and disconnect it', async ({
  page,
  installation,
}) => {
  const consoleErrors = watchConsole(page)
  const client = await installation.setUp()
  await createReadyChannel(client, { documents: [] })
  const url = installation.url.replace('127.0.0.1', 'localhost')
  const program = await startProgram(url)

  await page.setViewportSize(phone)
  await page.goto(await program.ask())
  await page.waitForURL('**/login')
  await signInHere(page)
  await page.waitForURL('**/connect?**')
  await expect(page.getByRole('heading', { name: 'Connect Agent of the tests?' })).toBeVisible()
  await expect(page.getByText('Search and read documents')).toBeVisible()
  await expect(page.getByText(/return to a program on this computer at 127\.0\.0\.1:\d+/)).toBeVisible()
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)

  const selected = page.getByRole('radio', { name: 'Selected channels' })
  await selected.press('Space')
  await page.getByRole('button', { name: 'Allow' }).press('Enter')
  await expect(page.getByText('Choose a channel')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('checkbox', { name: 'Staff handbook' }).press('Space')
  await page.getByRole('button', { name: 'Allow' }).press('Enter')
  await expect(page.getByText('You can close this page.')).toBeVisible()

  await program.finish()
  await program.connect()
  const { structuredContent } = await program.client.callTool({ name: 'list_channels', arguments: {} })
  expect(structuredContent).toEqual({ channels: [{ id: 'channel:staff-handbook', name: 'Staff handbook' }] })

  await page.goto(`${url}/profile`)
  const list = page.getByRole('list', { name: 'Connected programs' })
  await expect(list).toContainText('Agent of the tests')
  await expect(list).toContainText('Channel: Staff handbook')
  await expectNoHorizontalScroll(page)
  await expectAccessible(page)
  await list.getByRole('button', { name: 'Disconnect Agent of the tests' }).press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Disconnect this program?' })
  await question.getByRole('button', { name: 'Disconnect' }).press('Enter')
  await expect(page.getByText('No connected programs.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Connected programs' })).toBeFocused()
  await expect(program.client.callTool({ name: 'list_channels', arguments: {} })).rejects.toThrow(
    UnauthorizedError,
  )
  program.close()
  expect(consoleErrors).toEqual([])
})

test('users deny a program, and are never sent to an address that it has not registered', async ({
  page,
  installation,
}) => {
  await installation.setUp()
  const url = installation.url.replace('127.0.0.1', 'localhost')
  const program = await startProgram(url)
  const asked = new URL(await program.ask())
  const forged = new URL(asked)
  forged.searchParams.set('redirect_uri', 'https://evil.example/callback')

  await page.goto(forged.href)
  await page.waitForURL('**/login')
  await signInHere(page)
  await expect(page.getByText(/an address that it has not registered/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Allow' })).toHaveCount(0)
  expect(await page.content()).not.toContain('evil.example')
  await expectAccessible(page)

  await page.goto(asked.href)
  await page.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(page.getByText('You can close this page.')).toBeVisible()
  expect(program.received.at(-1)?.get('error')).toBe('access_denied')
  await expect(program.finish()).rejects.toThrow(/access_denied/)
  program.close()
})
