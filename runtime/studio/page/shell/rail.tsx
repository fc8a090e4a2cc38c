import { fragmentOf } from "../address.js";
import { type Screen, screenNow, screensThere } from "../screens/screens.js";
import { Icon } from "./icon.js";
import { useOneStop } from "./use-one-stop.js";
import { lastPlace, railIsShown } from "./whereabouts.js";

/** The screens, one below the other; side by side at the foot of a small window. */
export function Rail() {
  const stop = useOneStop();
  if (!railIsShown.value) return null;
  return (
    <nav class="rail" aria-label="Screens" data-stop {...stop}>
      {screensThere().map((screen) => (
        <RailLink key={screen.name} screen={screen} />
      ))}
    </nav>
  );
}

function RailLink({ screen }: { readonly screen: Screen }) {
  const { name, title, badge } = screen;
  const count = badge();
  const isHere = screenNow().name === name;
  return (
    <a href={fragmentOf(lastPlace(name))} aria-current={isHere ? "page" : undefined}>
      <Icon name={name} />
      {title}
      {count === 0 ? null : <span class="badge">{count > 99 ? "99+" : count}</span>}
    </a>
  );
}
