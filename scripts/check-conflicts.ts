/** Checks that no text file of the folder in which it runs has markers of a merge that was not finished. Git says which files there are. */
import { spawnSync } from 'node:child_process'

/** The lines that git writes before, and behind, the two versions of a place. One of `=` alone may also underline a title. */
const MARKER = '^(<{7}|>{7})( |$)'

// Binary files are left out, and files that git ignores.
const { status, stdout, stderr } = spawnSync('git', ['grep', '--untracked', '-nI', '-E', '-e', MARKER], {
  encoding: 'utf8',
})

// `git grep` ends with 1 if no line matches.
if (status === 0) {
  process.stderr.write(`Markers of a merge:\n${stdout}`)
  process.exitCode = 1
} else if (status !== 1) {
  process.stderr.write(`git grep: ${stderr}`)
  process.exitCode = 1
}
