// Runs in the browser, as part of the page: calls this simulator, and shows what goes on in it.
{
  const MAX_ROWS = 50;
  const byId = (id) => document.getElementById(id);
  const api = document.body.dataset.api;

  for (const input of document.querySelectorAll("#credentials input")) {
    input.value = sessionStorage.getItem(input.id) ?? input.value;
    input.addEventListener("input", () => sessionStorage.setItem(input.id, input.value));
  }
  byId("credentials").addEventListener("submit", (event) => event.preventDefault());

  // The world that calls of the page mean; no name stands for the starting one.
  const worlds = byId("world");
  let world = new URLSearchParams(location.search).get("world") ?? "";
  const worldHeaders = () => (world === "" ? {} : { "x-sim-world": world });

  const authorizationFor = (scheme) => {
    if (scheme === "basic")
      return `Basic ${btoa(`${byId("client-id").value}:${byId("client-secret").value}`)}`;
    return scheme === "agent" ? `Bearer ${byId("access-token").value}` : undefined;
  };

  const requestOf = (form) => {
    const { method, auth } = form.dataset;
    const query = new URLSearchParams();
    const headers = worldHeaders();
    let { path } = form.dataset;
    let parts;
    for (const input of form.querySelectorAll("input")) {
      const { name, in: place } = input.dataset;
      if (place === "form") {
        parts ??= new FormData();
        const value = input.type === "file" ? input.files[0] : input.value;
        if (value) parts.set(name, value);
      } else if (place === "path")
        path = path.replace(`{${name}}`, encodeURIComponent(input.value));
      else if (input.value !== "" && place === "query") query.set(name, input.value);
      else if (input.value !== "") headers[name] = input.value;
    }
    const authorization = authorizationFor(auth);
    if (authorization) headers.authorization = authorization;
    const json = form.querySelector("textarea")?.value;
    const body = json ?? parts;
    // The browser names the boundary of a form itself.
    if (json !== undefined) headers["content-type"] = "application/json";
    const search = query.size > 0 ? `?${query}` : "";
    return [`${api}${path}${search}`, { method, headers, ...(body !== undefined && { body }) }];
  };

  /** Characters that are unseen, or turn the order of others around. */
  const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;
  const hex = (one) => one.codePointAt(0).toString(16);

  /** Texts of others without such characters. */
  const harmless = (text) => text.replace(UNSEEN, (one) => `^{${hex(one)}}`);

  const escaped = (one) =>
    one === "\n"
      ? one
      : one
          .split("")
          .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
          .join("");

  /** JSON with indents, in which such characters are escaped; a text that is none in one line. */
  const pretty = (text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2).replace(UNSEEN, escaped);
    } catch {
      return harmless(text);
    }
  };

  for (const form of document.querySelectorAll("form.try"))
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const output = form.querySelector("output");
      try {
        const response = await fetch(...requestOf(form));
        output.textContent = `${response.status}\n${pretty(await response.text())}`;
        output.className = response.ok ? "good" : "bad";
      } catch (error) {
        output.textContent = `No answer: ${error.message}`;
        output.className = "bad";
      }
    });

  /** A link to an operation or a webhook opens it. */
  const openLinked = () => {
    const linked = byId(location.hash.slice(1));
    if (linked?.tagName !== "DETAILS") return;
    linked.hidden = false;
    linked.open = true;
    linked.scrollIntoView();
  };
  addEventListener("hashchange", openLinked);
  openLinked();

  byId("find").addEventListener("input", ({ target }) => {
    const words = target.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const entry of document.querySelectorAll("main > section > details")) {
      // The rules of an operation name many others: they would be found for each of those.
      const own = entry.querySelectorAll("summary, .inside > :not(.spec)");
      const text = [...own].map((part) => part.textContent.toLowerCase()).join(" ");
      entry.hidden = !words.every((word) => text.includes(word));
    }
  });

  const NOTHING = [{ text: "nothing" }];

  const rowsOf = (name, rows) => {
    const list = byId(name);
    list.replaceChildren(
      ...(rows.length > 0 ? rows : NOTHING).slice(0, MAX_ROWS).map(({ text, good }) => {
        const row = document.createElement("li");
        row.textContent = harmless(text);
        if (good !== undefined) row.className = good ? "good" : "bad";
        return row;
      }),
    );
  };

  const time = (instant) => instant.slice(11, 19);
  const shortId = (id) => `…${id.slice(-6)}`;
  const control = async (path) => (await fetch(`/_sim${path}`, { headers: worldHeaders() })).json();

  const READERS = {
    requests: async () => {
      const { data } = await control("/requests?limit=50");
      return data.map(({ at, method, path, status }) => ({
        text: `${time(at)} ${status} ${method} ${path}`,
        good: status < 400,
      }));
    },
    webhooks: async () => {
      const { data } = await control("/webhooks?limit=50");
      return data.map(({ createdAt, type, state, id }) => ({
        text: `${time(createdAt)} ${state} ${type} ${shortId(id)}`,
        ...(state === "ACCEPTED" && { good: true }),
        ...(state === "GIVEN_UP" && { good: false }),
      }));
    },
    inbox: async () => {
      const { data } = await control("/inbox");
      return data.map(({ sentAt, to, code }) => ({ text: `${time(sentAt)} ${to} ${code}` }));
    },
    timers: async () => {
      const { data } = await control("/timers");
      return data.map(({ dueAt, timer, subject }) => ({
        text: `${time(dueAt)} ${timer} ${shortId(subject)}`,
      }));
    },
  };

  /** Fills the choice of worlds; the one that is shown stays chosen, also when it is gone. */
  const readWorlds = async () => {
    const { data } = await (await fetch("/_sim/worlds")).json();
    const names = data.map(({ name, isStarting }) => (isStarting ? "" : name));
    if (data.some(({ name, isStarting }) => isStarting && name === world)) world = "";
    if (!names.includes(world)) names.push(world);
    const labels = new Map(data.map(({ name, isStarting }) => [isStarting ? "" : name, name]));
    const known = [...worlds.options].map((option) => option.text);
    const texts = names.map((name) => labels.get(name) ?? `${name} (gone)`);
    if (known.join() !== texts.join())
      worlds.replaceChildren(...names.map((name, at) => new Option(texts[at], name)));
    worlds.value = world;
  };

  const readClock = async () => {
    const { now, mode, error } = await control("/clock");
    if (error) throw new Error(error.message);
    byId("clock").textContent = `${now.slice(0, 10)} ${time(now)}Z, ${mode} clock`;
  };

  let isReading = false;
  let isStale = false;

  /** Reads all lists again, once for however many events arrive meanwhile. */
  const refresh = async () => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale) {
      isStale = false;
      try {
        await readWorlds();
        await readClock();
        for (const [name, read] of Object.entries(READERS)) rowsOf(name, await read());
      } catch (error) {
        const isRefused = !(error instanceof TypeError);
        byId("clock").textContent = isRefused
          ? harmless(error.message)
          : "The simulator does not answer";
        if (isRefused) for (const name of Object.keys(READERS)) rowsOf(name, []);
      }
      await new Promise((done) => setTimeout(done, 250));
    }
    isReading = false;
  };

  const EVENTS = ["hello", "change", "request", "delivery", "timer", "clock", "reset", "error"];
  let feed;

  /** Follows the events of the chosen world only. */
  const follow = () => {
    feed?.close();
    const search = world === "" ? "" : `?${new URLSearchParams({ world })}`;
    feed = new EventSource(`/_sim/events${search}`);
    for (const event of EVENTS) feed.addEventListener(event, refresh);
    void refresh();
  };

  worlds.addEventListener("change", () => {
    world = worlds.value;
    const address = new URL(location.href);
    if (world === "") address.searchParams.delete("world");
    else address.searchParams.set("world", world);
    history.replaceState(null, "", address);
    follow();
  });
  worlds.addEventListener("focus", () => void readWorlds().catch(() => {}));
  follow();
}
