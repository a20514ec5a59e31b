import { useEffect, useRef, useState } from "preact/hooks";
import type { MessageImage } from "../agent/transcript";

/** Maximum width and height of a displayed image, in pixels. */
const maxSide = 240;

/**
 * Displays an image in a message. It is drawn on a canvas, because the content security policy does not allow `data:`
 * URLs.
 */
export function Image({ image: { mediaType, data } }: { image: MessageImage }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isReadable, setReadable] = useState(true);
  useEffect(() => {
    let isCurrent = true;
    const draw = async () => {
      const bitmap = await createImageBitmap(blobOf(data, mediaType));
      const { current: target } = canvas;
      const scale = Math.min(1, maxSide / Math.max(bitmap.width, bitmap.height));
      if (isCurrent && target) {
        target.width = Math.max(1, Math.round(bitmap.width * scale));
        target.height = Math.max(1, Math.round(bitmap.height * scale));
        target.getContext("2d")?.drawImage(bitmap, 0, 0, target.width, target.height);
      }
      bitmap.close();
    };
    draw().catch(() => isCurrent && setReadable(false));
    return () => {
      isCurrent = false;
    };
  }, [data, mediaType]);
  if (!isReadable) return <p class="quiet small">Attached: {mediaType}, which cannot be shown</p>;
  return <canvas ref={canvas} role="img" aria-label={`Attached image (${mediaType})`} width={1} height={1} />;
}

function blobOf(data: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(data), (character) => character.charCodeAt(0))], { type });
}
