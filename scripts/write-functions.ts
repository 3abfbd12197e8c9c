/** Writes the sections of docs/reference/functions.md that are made from the table of functions, and what the core evaluates of them in docs/reference/sql.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { sqlPage } from './core-functions.ts'
import { functionsPage } from './functions-page.ts'

const PAGE = 'docs/reference/functions.md'

writeFileSync(PAGE, functionsPage(readFileSync(PAGE, 'utf8')))

const SQL = 'docs/reference/sql.md'

writeFileSync(SQL, sqlPage(readFileSync(SQL, 'utf8')))
