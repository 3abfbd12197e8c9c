/** Writes docs/reference/settings.md from the table of settings. */
import { writeFileSync } from 'node:fs'
import { settingsPage } from './settings-page.ts'

writeFileSync('docs/reference/settings.md', settingsPage())
