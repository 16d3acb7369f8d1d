// Under the name that the service gave it.
export function saveFile(file: Blob, response: Response): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  // The page read the answer itself, so the browser does not apply its Content-Disposition.
  link.download =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'export'
  link.click()
  // The browser has begun to save by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
