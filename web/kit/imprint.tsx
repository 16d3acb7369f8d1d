// Who runs the service and where its terms are: the service writes it into the document (src/edge/site/legal/imprint.ts), so
// that it is there without script too. Each page takes it to its own foot.
const imprint = document.getElementById('imprint')
const waiting = imprint?.parentElement

// Folded on a phone, where it would be in the way.
const isRoomy = window.matchMedia('(min-width: 48rem)').matches
if (isRoomy) for (const details of imprint?.querySelectorAll('details') ?? []) details.open = true

function take(place: HTMLElement | null): void {
  if (!place || !imprint) return
  place.append(imprint)
  waiting?.remove()
}

export function Imprint() {
  return <div ref={take} />
}
