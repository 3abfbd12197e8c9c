/** Writes the sections of docs/reference/functions.md that are made from the table of functions. */
import { readFileSync, writeFileSync } from 'node:fs'
import { functionsPage } from './functions-page.ts'

const PAGE = 'docs/reference/functions.md'

writeFileSync(PAGE, functionsPage(readFileSync(PAGE, 'utf8')))
