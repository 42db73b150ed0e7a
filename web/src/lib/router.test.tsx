import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { lazy, StrictMode, Suspense } from 'react'
import { describe, expect, it } from 'vitest'
import { Link } from '#ui/Link.tsx'
import {
  BrowserRouter,
  MemoryRouter,
  matchPath,
  Navigate,
  useLocation,
  useNavigate,
  useParams,
  useRoutes,
  useSearchParams,
} from './router.tsx'

describe('a pattern', () => {
  it.each([
    ['/channels/:id', '/channels', null],
    ['/channels/:id', '/channels/1/more', null],
    ['/channels/:id', '/people/1', null],
    ['/admin', '/admin/channels', null],
    ['/channels/:id', '/channels/1', { id: '1' }],
    ['/channels/:id', '/Channels/Ab/', { id: 'Ab' }],
    ['/channels/:id', '/channels/a%2Fb%20c', { id: 'a/b c' }],
    ['/channels/:id', '/channels/%E0', { id: '%E0' }],
    ['/invite/:token?', '/invite', {}],
    ['/invite/:token?', '/invite/secret', { token: 'secret' }],
    ['/', '/', {}],
    ['*', '/any/thing', {}],
  ])('%s at %s means %j', (pattern, path, params) => {
    expect(matchPath(pattern, path)).toEqual(params)
  })
})

const Where = () => {
  const { pathname, search, hash, state } = useLocation()
  const { id = 'nobody' } = useParams()
  return <p>{`${pathname}${search}${hash} ${id} ${JSON.stringify(state)}`}</p>
}

const Walk = () => {
  const navigate = useNavigate()
  const [params, setParams] = useSearchParams()
  return (
    <>
      <Where />
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

const Screens = () =>
  useRoutes([
    { path: '/people/:id', element: <Walk /> },
    { path: '/old', element: <Navigate to="/people/9" replace /> },
    { path: '*', element: <Where /> },
  ])

const inBrowser = () =>
  render(
    <StrictMode>
      <BrowserRouter>
        <Screens />
      </BrowserRouter>
    </StrictMode>,
  )

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

describe('the address bar', () => {
  it('leads to a screen, and back with what was handed on', async () => {
    history.replaceState(null, '', '/people/1?tab=z')
    const before = history.length
    inBrowser()
    screen.getByText('/people/1?tab=z 1 null')
    await press('on')
    screen.getByText('/people/2?tab=a#end 2 {"from":1}')
    expect(location.pathname + location.search + location.hash).toBe('/people/2?tab=a#end')
    await press('tab')
    await screen.findByText('/people/2?tab=ab 2 null')
    expect(history.length).toBe(before + 1)
    act(() => history.back())
    await screen.findByText('/people/1?tab=z 1 null')
    act(() => history.forward())
    await screen.findByText('/people/2?tab=ab 2 null')
  })

  it('shows no question mark where nothing is asked', async () => {
    history.replaceState(null, '', '/people/1?tab=z')
    inBrowser()
    await press('no tab')
    expect(location.href).toMatch(/\/people\/1$/)
  })

  it('is written over by a screen that leads on', async () => {
    history.replaceState(null, '', '/old')
    const before = history.length
    inBrowser()
    await screen.findByText('/people/9 9 null')
    expect(location.pathname).toBe('/people/9')
    expect(history.length).toBe(before)
  })

  it('never leaves the site', async () => {
    history.replaceState(null, '', '/')
    const Away = () => <Navigate to="//elsewhere.example/path" />
    render(
      <BrowserRouter>
        <Where />
        <Away />
      </BrowserRouter>,
    )
    await screen.findByText('/path nobody null')
    expect(location.host).toBe('localhost:3000')
  })
})

describe('a link', () => {
  it('keeps the path when it names a query alone', async () => {
    render(
      <MemoryRouter at="/people/1?tab=a">
        <Screens />
      </MemoryRouter>,
    )
    const link = screen.getByRole('link', { name: 'here' })
    expect(link.getAttribute('href')).toBe('/people/1?tab=c')
    await userEvent.click(link)
    screen.getByText('/people/1?tab=c 1 null')
  })

  it('leaves the screen as it is until the next one is there', async () => {
    let arrive = (_: { default: () => string }): void => undefined
    const Next = lazy(() => new Promise<{ default: () => string }>((resolve) => (arrive = resolve)))
    const Both = () =>
      useRoutes([
        { path: '/', element: <Suspense fallback="waiting">{<Link to="/next">go</Link>}</Suspense> },
        { path: '/next', element: <Suspense fallback="waiting">{<Next />}</Suspense> },
      ])
    render(
      <MemoryRouter>
        <Both />
      </MemoryRouter>,
    )
    await userEvent.click(screen.getByRole('link', { name: 'go' }))
    expect(screen.queryByText('waiting')).toBeNull()
    screen.getByText('go')
    await act(async () => arrive({ default: () => 'arrived' }))
    await screen.findByText('arrived')
  })
})
