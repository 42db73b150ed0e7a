import { expect, type Page } from '@playwright/test'
import {
  type ReceivedMail,
  readCode,
  readLinkToken,
  type TestMailServer,
} from '../server/src/testing/mail-server.ts'
import {
  createReadyChannel,
  expectAccessible,
  expectNoHorizontalScroll,
  type Installation,
  owner,
  phone,
  signIn,
  test,
  watchConsole,
} from './installation.ts'

const guest = { email: 'ada@example.org', name: 'Ada Lovelace', password: 'analytical engine 7' }

const desktop = { width: 1280, height: 800 }

/** Waits for the newest email to an address. */
async function waitForEmail(
  readEmails: () => Promise<ReceivedMail[]>,
  to: string,
  subjectPattern: RegExp,
): Promise<ReceivedMail> {
  async function find() {
    return (await readEmails()).findLast((mail) => mail.to === to && subjectPattern.test(mail.subject))
  }
  await expect.poll(find).toBeTruthy()
  const found = await find()
  if (!found) throw new Error('no email arrived')
  return found
}

function createEmailReader(mail: TestMailServer) {
  return async () => mail.received
}

async function submitSignIn(
  page: Page,
  url: string,
  path: string,
  email: string,
  password: string,
): Promise<void> {
  await page.goto(url + path)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

async function openUsers(page: Page, installation: Installation): Promise<void> {
  await installation.setUp()
  await signIn(page, installation.url)
  await page.goto(`${installation.url}/admin/users`)
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible()
}

/** Chooses an action from the menu of a user. */
async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function invite(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Invite User' }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite New User' })
  await dialog.getByRole('button', { name: 'Send Invitation' }).click()
  await expect(dialog.getByText('Full name is required')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Email' }).fill(guest.email)
  await dialog.getByLabel('Full name').fill(guest.name)
  await dialog.getByRole('button', { name: 'Send Invitation' }).click()
}

async function register(page: Page): Promise<void> {
  await expect(page.getByLabel('Email')).toHaveValue(guest.email)
  await expect(page.getByLabel('Email')).toHaveAttribute('readonly', '')
  await expect(page.getByLabel('Full name')).toHaveValue(guest.name)
  await page.getByLabel('Password', { exact: true }).fill(guest.password)
  await page.getByLabel('Confirm password').fill(guest.password)
  await page.keyboard.press('Enter')
}

/** Accepts an invitation by its link, up to the one-time code that the sign-in then requires. */
async function acceptInvitation(
  page: Page,
  installation: Installation,
  readEmails: () => Promise<ReceivedMail[]>,
) {
  const token = readLinkToken(await waitForEmail(readEmails, guest.email, /invit/i))
  await page.goto(`${installation.url}/invite/${token}`)
  await expect(page.getByText('Two-factor authentication is enabled')).toBeVisible()
  await expect(page.getByText('Expires after 30 days')).toBeVisible()
  await register(page)
  await page.waitForURL('**/verify-2fa')
  return token
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Verification code').fill(code)
  await page.keyboard.press('Enter')
}

test.describe('with a mail server', () => {
  test.use({ withMail: true })

  // Two-factor authentication is on for the first user if email can be delivered.
  async function signInWithCode(page: Page, installation: Installation, mail: TestMailServer) {
    await submitSignIn(page, installation.url, '/admin/login', owner.email, owner.password)
    await page.waitForURL('**/verify-2fa')
    await typeCode(page, readCode(await waitForEmail(createEmailReader(mail), owner.email, /code/i)))
    await page.waitForURL('**/admin')
  }

  async function registerFirstUser(page: Page, installation: Installation) {
    await page.goto(`${installation.url}/register?token=${installation.setupToken}`)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Full name').fill(owner.fullName)
    await page.getByLabel('Password', { exact: true }).fill(owner.password)
    await page.getByLabel('Confirm password').fill(owner.password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/verify-2fa')
  }

  test('sign-in needs a one-time code after the password, and trusts the browser afterwards', async ({
    page,
    installation,
    mail,
  }) => {
    const consoleErrors = watchConsole(page)
    await registerFirstUser(page, installation)
    await expect(page.getByText(owner.email)).toBeVisible()
    await expect(page.getByRole('button', { name: /Resend code/ })).toHaveAttribute('aria-disabled', 'true')
    await expectAccessible(page)
    await page.setViewportSize(phone)
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)

    // A phone discards the page while the user reads the email.
    await page.reload()
    await expect(page.getByLabel('Verification code')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Verification code is required')).toBeVisible()
    const code = readCode(await waitForEmail(createEmailReader(mail), owner.email, /code/i))
    await typeCode(page, code === '000000' ? '111111' : '000000')
    await expect(page.getByText('Invalid verification token')).toBeVisible()
    await typeCode(page, ` ${code.slice(0, 3)} ${code.slice(3)} `)
    await page.waitForURL('**/admin')

    await page.setViewportSize(desktop)
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/login')
    await submitSignIn(page, installation.url, '/login', owner.email, owner.password)
    await page.waitForURL('**/dashboard')
    expect(consoleErrors.filter((text) => !text.includes('400'))).toEqual([])
  })

  test('a user without a code goes back, and the code page redirects when no sign-in is pending', async ({
    page,
    installation,
  }) => {
    await page.goto(`${installation.url}/verify-2fa`)
    await page.waitForURL('**/login')
    await registerFirstUser(page, installation)
    await page.getByRole('button', { name: 'Back to sign in' }).click()
    await page.waitForURL('**/login')
    await page.goto(`${installation.url}/verify-2fa`)
    await page.waitForURL('**/login')
  })

  test('a forgotten password is reset once by its link, and the new one works', async ({
    page,
    installation,
    mail,
  }) => {
    const consoleErrors = watchConsole(page)
    await registerFirstUser(page, installation)
    await typeCode(page, readCode(await waitForEmail(createEmailReader(mail), owner.email, /code/i)))
    await page.waitForURL('**/admin')
    await page.getByRole('button', { name: 'Logout' }).click()

    await page.goto(`${installation.url}/login`)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await expect(page.getByLabel('Email')).toHaveValue(owner.email)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Send reset link' }).click()
    const resetEmail = await waitForEmail(createEmailReader(mail), owner.email, /password/i)
    expect(resetEmail.text).toContain(
      `http://localhost:${new URL(installation.url).port}/reset-password?token=`,
    )
    const address = `${installation.url}/reset-password?token=${readLinkToken(resetEmail)}`

    await page.goto(address)
    await expect(page).toHaveURL(`${installation.url}/reset-password`)
    await page.getByLabel('New password', { exact: true }).fill('short')
    await page.getByLabel('Confirm new password').fill('other')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Password must be at least 8 characters').first()).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('New password', { exact: true }).fill('quiet orchard 31')
    await page.getByLabel('Confirm new password').fill('quiet orchard 32')
    await page.keyboard.press('Enter')
    await expect(page.getByText("Passwords don't match")).toBeVisible()
    await page.getByLabel('Confirm new password').fill('quiet orchard 31')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard')
    await waitForEmail(createEmailReader(mail), owner.email, /changed/i)
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/login')

    await page.goto(address)
    await page.getByLabel('New password', { exact: true }).fill('quiet orchard 33')
    await page.getByLabel('Confirm new password').fill('quiet orchard 33')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/already been used/)).toBeVisible()
    await page.goto(`${installation.url}/login`)
    await page.goto(`${installation.url}/reset-password`)
    await expect(page.getByText('Invalid reset token')).toBeVisible()
    await expectAccessible(page)
    await submitSignIn(page, installation.url, '/login', owner.email, owner.password)
    await expect(page.getByText('Invalid email or password')).toBeVisible()
    expect(consoleErrors.filter((text) => !/40[01]/.test(text))).toEqual([])
  })

  test('an administrator invites by email; the guest registers, enters the code and sees their channel', async ({
    page,
    browser,
    installation,
    mail,
  }) => {
    await registerFirstUser(page, installation)
    await typeCode(page, readCode(await waitForEmail(createEmailReader(mail), owner.email, /code/i)))
    await page.waitForURL('**/admin')
    await page.goto(`${installation.url}/admin/users`)
    await expect(page.getByText('No pending invitations.')).toBeVisible()
    await expectAccessible(page)
    await invite(page)
    await expect(page.getByText('Invitation sent successfully')).toBeVisible()
    const first = readLinkToken(await waitForEmail(createEmailReader(mail), guest.email, /invit/i))
    await page.getByRole('button', { name: `Resend the invitation for ${guest.name}` }).click()
    await expect(page.getByText('Invitation resent successfully')).toBeVisible()
    await expect.poll(async () => mail.received.filter(({ to }) => to === guest.email).length).toBe(2)

    const guestContext = await browser.newContext()
    const other = await guestContext.newPage()
    await other.goto(`${installation.url}/invite?token=${first}`)
    await expect(other.getByText('Invalid or expired invitation')).toBeVisible()
    const token = await acceptInvitation(other, installation, createEmailReader(mail))
    await typeCode(other, readCode(await waitForEmail(createEmailReader(mail), guest.email, /code/i)))
    await other.waitForURL('**/dashboard')
    await expect(other.getByText('No channels available.')).toBeVisible()
    await other.getByRole('button', { name: 'Logout' }).click()
    await other.goto(`${installation.url}/register/${token}`)
    await expect(other.getByText(/already been used/)).toBeVisible()
    await guestContext.close()
    await page.reload()
    await expect(page.getByRole('table', { name: 'Invitations' })).toContainText('Accepted')
  })

  test('if the mail server refuses the code, the user gets no session and can try again at once', async ({
    page,
    installation,
    mail,
  }) => {
    await registerFirstUser(page, installation)
    mail.behavior = 'refuses'
    await submitSignIn(page, installation.url, '/admin/login', owner.email, owner.password)
    await expect(page.getByText(/verification code could not be sent/)).toBeVisible()
    mail.behavior = 'accepts'
    await signInWithCode(page, installation, mail)
  })
})

test.describe('without a mail server', () => {
  test('an invitation link is copied, and the code is found in the outbox', async ({
    page,
    browser,
    installation,
  }) => {
    await openUsers(page, installation)
    await invite(page)
    const linkDialog = page.getByRole('dialog', { name: 'Share this link' })
    await expect(linkDialog.getByText(/No mail server is configured/)).toBeVisible()
    const link = await linkDialog.getByLabel(`Link for ${guest.name}`).inputValue()
    expect(link).toMatch(/\/register\?token=[\w-]{43}$/)
    await expectAccessible(page)
    await page.setViewportSize(phone)
    await expectNoHorizontalScroll(page)
    await linkDialog.getByRole('button', { name: 'Done' }).click()

    const guestContext = await browser.newContext()
    const other = await guestContext.newPage()
    await acceptInvitation(other, installation, installation.outbox)
    await expect(other.getByText(/Ask your administrator for the code/)).toBeVisible()
    await typeCode(other, readCode(await waitForEmail(installation.outbox, guest.email, /code/i)))
    await other.waitForURL('**/dashboard')
    await guestContext.close()
  })

  test('users are found, renamed, assigned to channels, promoted, restricted and deleted', async ({
    page,
    browser,
    installation,
  }) => {
    const consoleErrors = watchConsole(page)
    const client = await installation.setUp()
    await createReadyChannel(client, { documents: [] })
    await signIn(page, installation.url)
    await page.goto(`${installation.url}/admin/users`)
    await invite(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    const guestContext = await browser.newContext()
    const other = await guestContext.newPage()
    await acceptInvitation(other, installation, installation.outbox)
    await typeCode(other, readCode(await waitForEmail(installation.outbox, guest.email, /code/i)))
    await other.waitForURL('**/dashboard')

    await page.reload()
    const users = page.getByRole('table', { name: 'Users' })
    await page.getByLabel('Search users').fill('love')
    await expect(page).toHaveURL(/search=love/)
    await expect(users.getByRole('row')).toHaveCount(2)
    await expectAccessible(page)

    await choose(page, guest.name, 'Channel permissions')
    const access = page.getByRole('dialog', { name: 'Channel Permissions' })
    await access.getByRole('checkbox', { name: /Staff handbook/ }).check()
    await expect(page.getByText('Channel permissions updated successfully')).toBeVisible()
    await expectAccessible(page)
    await access.getByRole('button', { name: 'Done' }).click()
    await other.reload()
    await expect(other.getByRole('link', { name: /Staff handbook/ })).toBeVisible()

    await choose(page, guest.name, 'Edit name')
    const rename = page.getByRole('dialog', { name: 'Edit User Settings' })
    await rename.getByLabel('Name').fill('  Ada King  ')
    await page.keyboard.press('Enter')
    await expect(page.getByText('User name updated successfully')).toBeVisible()

    await page.getByLabel('Search users').fill('ada')
    await choose(page, 'Ada King', 'Make administrator')
    await page.getByRole('button', { name: 'Make administrator', exact: true }).click()
    await expect(page.getByText('User promoted to admin role')).toBeVisible()
    // The change of role ended their session.
    await other.getByRole('link', { name: /Staff handbook/ }).click()
    await other.waitForURL('**/login')

    await choose(page, 'Ada King', 'Permissions')
    const permissions = page.getByRole('dialog', { name: 'Administrator Permissions' })
    await expectAccessible(page)
    await permissions.getByRole('checkbox', { name: /^Manage users/i }).uncheck()
    await permissions.getByRole('button', { name: 'Save Permissions' }).click()
    await expect(permissions.getByText('Permissions updated successfully')).toBeVisible()
    await permissions.getByRole('button', { name: 'Close' }).last().click()

    // The link covers the whole row.
    await users.getByRole('row', { name: /Ada King/ }).click()
    await expect(page.getByText(/^0 today/)).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Manage 2FA settings' }).click()
    const factor = page.getByRole('dialog', { name: 'Manage 2FA Settings' })
    await factor.getByRole('radio', { name: 'Custom settings' }).check()
    await factor.getByLabel('2FA enabled').uncheck()
    await factor.getByRole('button', { name: 'Save settings' }).click()
    await expect(page.getByText('User 2FA settings updated successfully')).toBeVisible()
    await expectAccessible(page)
    await factor.getByRole('button', { name: 'Close' }).last().click()

    // Signing in no longer needs a code, and the removed permission is gone.
    await submitSignIn(other, installation.url, '/admin/login', guest.email, guest.password)
    await other.waitForURL('**/admin')
    await expect(other.getByRole('link', { name: /Manage Channels/ }).first()).toBeVisible()
    await expect(other.getByRole('link', { name: /Manage Users/ })).toHaveCount(0)
    await other.goto(`${installation.url}/admin/users`)
    await other.waitForURL(`${installation.url}/admin`)
    await guestContext.close()

    await page.goBack()
    await choose(page, 'Ada King', 'Delete')
    await expect(page.getByText(/access to 1 channel/)).toBeVisible()
    await page.getByRole('button', { name: 'Delete user', exact: true }).click()
    await expect(page.getByText('User deleted successfully')).toBeVisible()
    await expect(page.getByText(guest.email)).toHaveCount(1)
    await page.setViewportSize(phone)
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
    expect(consoleErrors).toEqual([])
  })

  test('users manage their name, password and sessions on the profile page', async ({
    page,
    browser,
    installation,
  }) => {
    const consoleErrors = watchConsole(page)
    await installation.setUp()
    await signIn(page, installation.url)
    const otherContext = await browser.newContext()
    const other = await otherContext.newPage()
    await signIn(other, installation.url)

    await page.getByRole('link', { name: 'Profile' }).click()
    await expect(page.getByRole('heading', { name: 'Profile Settings' })).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Name', { exact: true }).fill('Olu the First')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Name updated successfully')).toBeVisible()
    await expect(page.getByText('Name updated successfully')).toBeHidden()

    await page.getByLabel('Current password').fill('not the password')
    await page.getByLabel('New password', { exact: true }).fill('quiet orchard 31')
    await page.getByLabel('Confirm new password').fill('quiet orchard 32')
    await page.getByRole('button', { name: 'Update password' }).click()
    await expect(page.getByText('Passwords do not match')).toBeVisible()
    await page.getByLabel('Confirm new password').fill('quiet orchard 31')
    await page.getByRole('button', { name: 'Update password' }).click()
    await expect(page.getByText('The current password is not correct')).toBeVisible()
    await page.getByLabel('Current password').fill(owner.password)
    await page.getByRole('button', { name: 'Update password' }).click()
    await expect(page.getByText('Password updated successfully')).toBeVisible()

    await other.reload()
    await other.waitForURL('**/login')
    await otherContext.close()
    await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1)
    await page.setViewportSize(phone)
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Back to Dashboard' }).click()
    await page.waitForURL('**/dashboard')
    expect(consoleErrors.filter((text) => !text.includes('400'))).toEqual([])
  })

  test('two-factor authentication for all users is set in the global configuration', async ({
    page,
    installation,
  }) => {
    await installation.setUp()
    await signIn(page, installation.url)
    await page.goto(`${installation.url}/admin`)
    await page
      .getByRole('link', { name: /Global Configuration/ })
      .first()
      .click()
    await expect(page.getByLabel('2FA expiry (days)')).toHaveValue('30')
    await expectAccessible(page)
    await page.getByLabel('2FA expiry (days)').fill('400')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page.getByText('From 1 to 365 days')).toBeVisible()
    await page.getByLabel('2FA expiry (days)').fill('seven')
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page.getByText('Settings updated successfully')).toBeVisible()
    await expect(page.getByLabel('2FA expiry (days)')).toHaveValue('30')
    await page.getByLabel('2FA enabled').uncheck()
    await expect(page.getByText(/can sign in with just a password/)).toBeVisible()
    await page.setViewportSize(phone)
    await expectNoHorizontalScroll(page)
    await expectAccessible(page)
  })
})
