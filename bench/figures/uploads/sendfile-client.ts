import { startLinePeer } from '../../input/line-peer.ts'
import { PYTHON } from '../../input/python.ts'
import { RefusedError } from '../../service/client.ts'
import { SUPER_USER } from '../../service/service.ts'
import type { Send } from './dataset-files.ts'

/** A client in a child process that sends one body after the other by `sendfile`, which takes a third of the CPU of a client in Node. */
export interface SendfileClient {
  /** Sends to this port of the machine. */
  to(port: number): Send
  close(): void
}

/** Starts the client. Throws if there is no Python. */
export async function startSendfileClient(): Promise<SendfileClient> {
  const peer = await startLinePeer('send_file.py', [], PYTHON)
  if (peer === null) throw new Error(`uploads are sent by ${PYTHON}, which does not start`)
  return {
    to: (port) => async (method, path, body) => {
      const request = { port, method, path, headers: SUPER_USER, body: body ?? null }
      const { status, text } = (await peer.ask(request)) as { status: number; text: string }
      if (status !== 200 && status !== 204) throw new RefusedError(status, text)
      return text
    },
    close: () => peer.close(),
  }
}
