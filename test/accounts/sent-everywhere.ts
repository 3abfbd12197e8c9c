import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { basic } from '../http/test-server.ts'
import { type AccountService, ADMIN } from './asked-accounts.ts'

const ROUTES = ['query', 'parse-query', 'explain-query', 'explain-analyze-query']

/** Sends a text in every way to every route, and returns all that was answered. */
export async function sentEverywhere({ url }: AccountService, body: string): Promise<readonly string[]> {
  const answers: string[] = []
  const send = async (path: string, init: RequestInit): Promise<void> => {
    const response = await fetch(`${url}${path}`, init)
    answers.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`)
  }
  for (const authorization of [ADMIN.authorization, basic('nobody', 'a'), null]) {
    const headers = {
      'content-type': 'application/json',
      ...(authorization === null ? {} : { authorization }),
    }
    for (const route of ROUTES) await send(`/api/${route}`, { method: 'POST', headers, body })
    await send('/admin/api/query', { method: 'POST', headers, body })
    await send(`/api/query?q=${encodeURIComponent(body.toWellFormed())}`, { headers })
    await send(`/api/query?q=${encodeURIComponent(body.toWellFormed())}&q=a`, { headers })
    await send('/api/admin/external-tables', { method: 'POST', headers, body })
  }
  return answers
}

/** The files below a folder that have a text. */
export function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text))
}
