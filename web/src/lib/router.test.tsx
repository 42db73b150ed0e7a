import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { lazy, StrictMode, Suspense } from 'react'
import { describe, expect, it } from 'vitest'
import { Redirect, Route, Switch, useLocation, useParams, useSearchParams } from 'wouter'
import { Link } from '#ui/Link.tsx'
import { BrowserRouter, useNavigationState } from './router.tsx'

function CurrentLocation() {
  const [pathname] = useLocation()
  const [params] = useSearchParams()
  const { id = 'none' } = useParams()
  return <p>{`${pathname}?${params} ${id} ${JSON.stringify(useNavigationState())}`}</p>
}

function NavigationButtons() {
  const [, navigate] = useLocation()
  const [params, setParams] = useSearchParams()
  return (
    <>
      <CurrentLocation />
      <button type="button" onClick={() => navigate('/people/2?tab=a#end', { state: { from: 1 } })}>
        on
      </button>
      <button type="button" onClick={() => setParams({ tab: `${params.get('tab')}b` }, { replace: true })}>
        tab
      </button>
      <button type="button" onClick={() => setParams({})}>
        no tab
      </button>
      <Link to="?tab=c">here</Link>
    </>
  )
}

function visit(at: string) {
  history.replaceState(null, '', at)
  render(
    <StrictMode>
      <BrowserRouter>
        <Switch>
          <Route path="/people/:id">
            <NavigationButtons />
          </Route>
          <Route path="/old">
            <Redirect to="/people/9" replace />
          </Route>
          <Route>
            <CurrentLocation />
          </Route>
        </Switch>
      </BrowserRouter>
    </StrictMode>,
  )
}

function press(name: string) {
  return userEvent.click(screen.getByRole('button', { name }))
}

describe('BrowserRouter', () => {
  it('restores the navigation state on Back and Forward', async () => {
    visit('/people/1?tab=z')
    const before = history.length
    screen.getByText('/people/1?tab=z 1 null')
    await press('on')
    await screen.findByText('/people/2?tab=a 2 {"from":1}')
    expect(location.hash).toBe('#end')
    await press('tab')
    await screen.findByText('/people/2?tab=ab 2 null')
    expect(history.length).toBe(before + 1)
    act(() => history.back())
    await screen.findByText('/people/1?tab=z 1 null')
    act(() => history.forward())
    await screen.findByText('/people/2?tab=ab 2 null')
  })

  it.each([
    ['/People/Ab/', 'Ab'],
    ['/people/a%20b', 'a b'],
    ['/people/%E0', '%E0'],
  ])('reads %s as the id %s', (at, id) => {
    visit(at)
    screen.getByText(new RegExp(` ${id} null$`))
  })

  it('shows no question mark without a query', async () => {
    visit('/people/1?tab=z')
    await press('no tab')
    expect(location.href).toMatch(/\/people\/1$/)
  })

  it('keeps the encoding of the query', () => {
    visit('/people/1?tab=%2541%26b')
    screen.getByText('/people/1?tab=%2541%26b 1 null')
  })

  it('replaces the entry of a page that redirects', async () => {
    visit('/old')
    const before = history.length
    await screen.findByText('/people/9? 9 null')
    expect(location.pathname).toBe('/people/9')
    expect(history.length).toBe(before)
  })
})

describe('a link', () => {
  it('keeps the path when only the query changes, and adds no entry for the same URL', async () => {
    visit('/people/1?tab=a')
    const before = history.length
    await userEvent.click(screen.getByRole('link', { name: 'here' }))
    await screen.findByText('/people/1?tab=c 1 null')
    await userEvent.click(screen.getByRole('link', { name: 'here' }))
    expect(history.length).toBe(before + 1)
  })

  it('keeps the page until the next one is loaded', async () => {
    let resolveNext: (_: { default: () => string }) => void = () => undefined
    const Next = lazy(() => new Promise<{ default: () => string }>((resolve) => (resolveNext = resolve)))
    history.replaceState(null, '', '/')
    render(
      <BrowserRouter>
        <Switch>
          <Route key="screen" path="/">
            <Suspense fallback="waiting">{<Link to="/next">go</Link>}</Suspense>
          </Route>
          <Route key="screen" path="/next">
            <Suspense fallback="waiting">{<Next />}</Suspense>
          </Route>
        </Switch>
      </BrowserRouter>,
    )
    await userEvent.click(screen.getByRole('link', { name: 'go' }))
    expect(screen.queryByText('waiting')).toBeNull()
    screen.getByText('go')
    await act(async () => resolveNext({ default: () => 'arrived' }))
    await screen.findByText('arrived')
  })
})
