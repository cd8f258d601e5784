import { element } from '../../page/page.js';
import type { Zoom } from './header.js';

/** How much of the picture is seen: its scale, and how far it is scrolled, in pixels. */
export interface View {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  /** True until the user zooms: the picture is then fitted again when it or the window changes. */
  readonly isFitted: boolean;
}

/** A window onto something larger: scrolled like a page, dragged, and zoomed with Ctrl and the wheel, keys and buttons. */
export interface Viewport {
  readonly root: HTMLElement;
  size(picture: { readonly width: number; readonly height: number }): void;
  zoom(to: Zoom): void;
  place(view: View | undefined, first: HTMLElement | undefined): void;
  /** Scrolls as little as is needed to see it. */
  reveal(child: HTMLElement): void;
}

const smallest = 0.1;
const largest = 3;
const step = 1.25;
/** Below this scale the text is unreadable, so the view starts where the run starts. */
const readable = 0.5;
/** The initial view of a picture that is too large for its window. */
const large = 0.9;

export function createViewport(canvas: HTMLElement, viewed: (view: View) => void): Viewport {
  const sizer = element('div', { class: 'sizer' }, canvas);
  const root = element('div', { class: 'viewport' }, sizer);
  let picture = { width: 1, height: 1 };
  let scale = 1;
  let isFitted = false;
  /** All of it was requested, readable or not. */
  let isWhole = false;
  /** The whole picture was unreadable when it was last fitted. */
  let isLarge = false;
  let start: HTMLElement | undefined;
  let whenSeen: (() => void) | undefined;
  let telling = 0;

  const fitting = () => Math.min(root.clientWidth / picture.width, root.clientHeight / picture.height, 1);
  const clamped = (requestedScale: number) => Math.min(largest, Math.max(smallest, requestedScale));

  function announceScale(): void {
    cancelAnimationFrame(telling);
    telling = requestAnimationFrame(() => {
      if (root.clientWidth > 0) viewed({ scale, left: root.scrollLeft, top: root.scrollTop, isFitted });
    });
  }

  function apply(): void {
    canvas.style.transform = `scale(${scale})`;
    canvas.style.width = `${picture.width}px`;
    canvas.style.height = `${picture.height}px`;
    sizer.style.width = `${picture.width * scale}px`;
    sizer.style.height = `${picture.height * scale}px`;
    announceScale();
  }

  /** Where the whole picture would be unreadable, it shows as much as can be read, from its start. */
  function refit(): void {
    const fullScale = fitting();
    const wasLarge = isLarge;
    isLarge = fullScale < readable;
    if (isWhole || !isLarge) scale = clamped(fullScale);
    else if (!wasLarge) scale = readable;
    apply();
    if (isLarge && !isWhole && !wasLarge) showStart();
  }

  function showStart(): void {
    start?.scrollIntoView({ block: 'start', inline: 'center' });
  }

  /** Zooms so that what is at a point of the window stays there. */
  function scaleTo(newScale: number, x = root.clientWidth / 2, y = root.clientHeight / 2): void {
    isFitted = isWhole = false;
    const before = scale;
    const [left, top] = [sizer.offsetLeft, sizer.offsetTop];
    const at = { x: (root.scrollLeft + x - left) / before, y: (root.scrollTop + y - top) / before };
    scale = clamped(newScale);
    apply();
    root.scrollLeft = at.x * scale - x + sizer.offsetLeft;
    root.scrollTop = at.y * scale - y + sizer.offsetTop;
  }

  function reveal(child: HTMLElement): void {
    child.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  root.addEventListener('scroll', announceScale, { passive: true });
  root.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left, top } = root.getBoundingClientRect();
      scaleTo(
        scale * Math.exp(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 40) * 0.006),
        event.clientX - left,
        event.clientY - top,
      );
    },
    { passive: false },
  );
  root.addEventListener('pointerdown', (down) => {
    const isBackground = !(down.target instanceof Element && down.target.closest('button') !== null);
    // Fingers scroll by themselves.
    if (!isBackground || down.button !== 0 || down.pointerType === 'touch') return;
    let [x, y] = [down.clientX, down.clientY];
    const move = (event: PointerEvent) => {
      root.scrollLeft -= event.clientX - x;
      root.scrollTop -= event.clientY - y;
      [x, y] = [event.clientX, event.clientY];
      root.classList.add('is-dragged');
    };
    const end = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      root.classList.remove('is-dragged');
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  });
  new ResizeObserver(() => {
    if (root.clientWidth === 0) return;
    if (whenSeen !== undefined) whenSeen();
    else if (isFitted) refit();
    whenSeen = undefined;
  }).observe(root);

  return {
    root,
    size(now) {
      picture = now;
      if (isFitted && root.clientWidth > 0) refit();
      else apply();
    },
    zoom(to) {
      if (to === 'fit') {
        isFitted = isWhole = true;
        refit();
        root.scrollTo(0, 0);
      } else scaleTo(to === 'reset' ? 1 : to === 'in' ? scale * step : scale / step);
    },
    place(view, first) {
      whenSeen = () => {
        start = first;
        isFitted = view?.isFitted ?? true;
        scale = clamped(view?.scale ?? large);
        isWhole = isFitted && scale < readable;
        isLarge = fitting() < readable;
        if (isFitted) refit();
        else apply();
        if (view !== undefined) root.scrollTo(view.left, view.top);
        else if (isLarge) showStart();
      };
      if (root.clientWidth === 0) return;
      whenSeen();
      whenSeen = undefined;
    },
    reveal,
  };
}
