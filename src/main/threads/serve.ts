import type { MessagePort, Transferable } from 'node:worker_threads'
import { collectGarbage } from '../../plan/collect-garbage.ts'
import { type ErrorData, toErrorData } from '../../plan/errors.ts'

/** What a thread does, by name. Arguments and results are copied from one thread to the other. */
export type Functions<F> = { readonly [N in keyof F]: (argument: never) => unknown }

/** Null: no more calls will come, and the thread ends. */
export type ToThread = { readonly id: number; readonly name: string; readonly argument: unknown } | null

/** An event, or the outcome of the call with this id. `OPENING`: whether the thread has opened what it serves. */
export type FromThread<E> =
  | { readonly event: E }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: ErrorData }

export const OPENING = 0

/** The thread collects its garbage when it has had no call for so many milliseconds. */
const IDLE_MS = 10_000

/** Sends main an event. What is to be moved there, and not copied, is not the thread's any more. */
export type Emit<E> = (event: E, moved?: readonly Transferable[]) => void

/**
 * Opens in a thread what it serves, and answers main's calls (thread.ts). `emit` sends main an event. `close` is called when all calls are
 * answered; nothing may keep the thread running afterwards.
 */
export function serve<F extends Functions<F>, E = never>(
  port: MessagePort,
  open: (emit: Emit<E>) => F & { close(): void },
): void {
  const send = (message: FromThread<E>, moved?: readonly Transferable[]): void =>
    port.postMessage(message, moved)

  /** Sends the outcome of work. Work that waits for nothing has ended when this returns. */
  async function answer(id: number, work: () => unknown): Promise<void> {
    try {
      send({ id, result: await work() })
    } catch (error) {
      send({ id, error: toErrorData(error) })
    }
  }

  void answer(OPENING, () => {
    const served = open((event, moved) => send({ event }, moved))
    const idle = setTimeout(collectGarbage, IDLE_MS).unref()
    // The listener refers to what is open. A connection would lose its lock if it was collected as garbage.
    port.on('message', (message: ToThread) => {
      idle.refresh()
      if (message === null) {
        clearTimeout(idle)
        served.close()
        port.close()
        return
      }
      const { id, name, argument } = message
      void answer(id, () => served[name as keyof F](argument as never))
    })
  })
}
