// The operator and the links to its terms. The service writes them into the document (src/edge/site/legal/imprint.ts), so
// that it is there without script too. Each page moves it to its own footer.
const imprint = document.getElementById('imprint')
const waiting = imprint?.parentElement

// Closed on a phone, where it would take half the screen.
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
