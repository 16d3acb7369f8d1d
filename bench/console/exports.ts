// The server's own memory while it writes a file of all cards.
export async function measureExport(
  port: number,
  cookie: string,
  tell: (text: string) => void,
): Promise<string[]> {
  const notes: string[] = []
  for (const format of ['csv', 'xlsx']) {
    tell(`export of all cards as ${format}`)
    const before = await memoryOf(port)
    let highest = before
    let bytes = 0
    let tail = ''
    const began = performance.now()
    const watch = setInterval(async () => {
      highest = Math.max(highest, await memoryOf(port))
    }, 500)
    const response = await fetch(
      `http://127.0.0.1:${port}/console/api/lists/cards/export?format=${format}&lang=en`,
      {
        headers: { cookie },
      },
    )
    for await (const chunk of response.body!) {
      bytes += chunk.length
      if (format === 'csv') tail = Buffer.from(chunk).subarray(-100).toString()
    }
    clearInterval(watch)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const said = /End of file.*/.exec(tail)?.[0].trim() ?? ''
    const megabytes = (size: number) => Math.round(size / 2 ** 20)
    notes.push(
      `all cards as ${format}: ${megabytes(bytes)} MB in ${seconds} s; the process held ${megabytes(before)} MB before and ` +
        `${megabytes(highest)} MB at most. ${said}`,
    )
  }
  return notes
}

async function memoryOf(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1] ?? 0)
}
