import { act, render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { createStore, useStore, useStoreValue } from './store.ts'

describe('createStore', () => {
  it('notifies listeners only of changes', () => {
    const store = createStore(1)
    const listener = vi.fn()
    const unsubscribe = store.subscribe(listener)
    store.set(1)
    expect(listener).not.toHaveBeenCalled()
    store.set(2)
    expect(store.get()).toBe(2)
    expect(listener).toHaveBeenCalledOnce()
    unsubscribe()
    store.set(3)
    expect(listener).toHaveBeenCalledOnce()
    expect(store.hasListeners()).toBe(false)
  })

  it('re-renders a component only when the value it reads changes', () => {
    const store = createStore({ name: 'Ada', age: 36 })
    const rendered = vi.fn()
    function Whole() {
      return <p>{JSON.stringify(useStore(store))}</p>
    }
    function Name() {
      rendered()
      return <b>{useStoreValue(store, ({ name }) => name)}</b>
    }
    render(
      <>
        <Whole />
        <Name />
      </>,
    )
    act(() => store.set({ name: 'Ada', age: 37 }))
    screen.getByText('{"name":"Ada","age":37}')
    expect(rendered).toHaveBeenCalledOnce()
    act(() => store.set({ name: 'Grace', age: 37 }))
    screen.getByText('Grace')
  })
})
