import { OTHER_VARIABLES } from '../src/main/settings/other-variables.ts'
import { PREFIX, SETTINGS, variableOf } from '../src/main/settings/settings.ts'

/** The page docs/reference/settings.md, made from the table of settings. */
export function settingsPage(): string {
  const rows = Object.entries(SETTINGS).map(([key, { fallback, about, expects }]) => {
    const cells = [`\`${variableOf(key)}\``, `${about} Expects ${expects}.`, defaultOf(key, fallback)]
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  const others = OTHER_VARIABLES.map(
    ({ name, means, instead }) =>
      `| \`${PREFIX}${name}\` | ${means === null ? 'no effect' : `as \`${variableOf(means)}\``} | ${instead} |`,
  )
  return `# Settings

All settings are environment variables. They are read once, at the start; a value that is not understood stops the
start with a message that names the variable, and a \`SERVICE_\` variable that is not in this table is a warning.
\`GET /api/info\` shows the values in use, without secrets, and folders to the super-user only.

(Written by \`node scripts/write-settings.ts\` from \`src/main/settings/settings.ts\`.)

| Variable | Meaning | Default |
|---|---|---|
${rows.join('\n')}

## Settings of the reference service

These variables are known. Each is a warning at the start that says what to do instead.

| Variable | Effect | Instead |
|---|---|---|
${others.join('\n')}
`
}

function defaultOf(key: string, fallback: unknown): string {
  if (key === 'workers') return 'CPUs'
  if (key === 'sqlEngines') return 'CPUs + 1, at least 3'
  if (fallback === null || fallback === '') return '–'
  const text = Array.isArray(fallback) ? fallback.join(',') : String(fallback)
  return text === '' ? '–' : `\`${text}\``
}
