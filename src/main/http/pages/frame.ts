import { VERSION } from '../../settings/version.ts'

/** The name of the product, whatever `SERVICE_NAME` is. */
export const PRODUCT = 'halocline'

/**
 * What the pages of the service may load: nothing from another host. The explorers have scripts and styles in their pages; those of
 * this service have none.
 */
export const POLICIES = {
  self: "default-src 'self'; base-uri 'none'; form-action 'none'",
  explorer:
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; base-uri 'none'",
} as const

/** A whole page around a body, which is HTML. `title` is plain text. */
export function page(basePath: string, title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" type="image/svg+xml" href="${basePath}/favicon.svg">
<link rel="stylesheet" href="${basePath}/assets/pages.css">
</head>
<body>
${body}
</body>
</html>
`
}

/** The heading of a page, with the version. */
export function heading(basePath: string, title: string): string {
  const version = title === PRODUCT ? VERSION : `${PRODUCT} ${VERSION}`
  return `<h1><img src="${basePath}/favicon.svg" alt="">${escapeHtml(title)} <small>${version}</small></h1>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Plain text as HTML, also within an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
}
