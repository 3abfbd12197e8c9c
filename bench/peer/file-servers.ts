import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../service/free-port.ts'

/** A server of files in a child process. */
export interface Served {
  readonly port: number
  stop(): Promise<void>
}

/** Starts the bare server in Node over a folder. */
export async function startFileServer(folder: string): Promise<Served> {
  const child = fork(join(import.meta.dirname, 'file-server.ts'), [folder], { execArgv: [] })
  const [port] = (await once(child, 'message')) as [number]
  return { port, stop: () => end(child) }
}

/** How often and how long nginx is asked whether it has started. Milliseconds. */
const ATTEMPT_MS = 20
const START_MS = 5000

/** Starts nginx over a folder, with `sendfile`. Null: it is not installed. */
export async function startNginx(folder: string): Promise<Served | null> {
  if (spawnSync('nginx', ['-v']).error !== undefined) return null
  const port = await freePort()
  const prefix = mkdtempSync(join(tmpdir(), 'halocline-nginx-'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${prefix}/${name};`)
    .join(' ')
  const config = join(prefix, 'nginx.conf')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    config,
    `daemon off; ${user} pid ${prefix}/pid; error_log ${prefix}/error.log; events {}
http { access_log off; sendfile on; ${temporary} server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  )
  const child = spawn('nginx', ['-p', prefix, '-c', config], { stdio: 'ignore' })
  const stop = async () => {
    await end(child)
    rmSync(prefix, { recursive: true, force: true })
  }
  for (let waited = 0; waited < START_MS; waited += ATTEMPT_MS) {
    if (child.exitCode !== null) break
    const isThere = await fetch(`http://127.0.0.1:${port}/`, { method: 'HEAD' }).then(
      () => true,
      () => false,
    )
    if (isThere) return { port, stop }
    await sleep(ATTEMPT_MS)
  }
  await stop()
  throw new Error('nginx has not started')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill()
  await exited
}
