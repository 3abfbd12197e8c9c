import { once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import type { Test } from 'tap'

/** Waits for a message that a worker of this process sends on a channel: each is waited for once, and may have come before. */
export type Told = (message: string) => Promise<void>

/** What workers tell a test on a channel, from now on. */
export function toldOn(t: Test, channel: string): Told {
  const heard: string[] = []
  const receiver = new BroadcastChannel(channel)
  t.teardown(() => receiver.close())
  const events = receiver as unknown as EventTarget
  events.addEventListener('message', (event) => heard.push(String((event as MessageEvent).data)))
  return async (message) => {
    while (!heard.includes(message)) await once(events, 'message')
    heard.splice(heard.indexOf(message), 1)
  }
}

/** Tells a test something: for workers. */
export function tellOn(channel: string): (message: string) => void {
  const sender = new BroadcastChannel(channel)
  sender.unref()
  return (message) => sender.postMessage(message)
}
