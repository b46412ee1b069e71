// live(query, callback, { url, token, onerror }) calls callback(rows, event, version) with the rows of a query of
// Herald, and after each change with those of then; of "value ..." with the value, of sections with [{ key, rows }].
// What is missed while the connection is lost is caught up. It returns a function that ends it.
(() => {
  const home = document.currentScript ? new URL(document.currentScript.src).origin : location.origin;
  const apply = (old, e) => {
    if (e.event == "initial") {
      let at = 0;
      return e.sections?.map(s => ({ key: s.key, rows: e.rows.slice(at, (at += s.count)) })) ?? e.rows ?? e.value;
    }
    if (e.event == "value") return e.new;
    if (e.event == "change") return e.modified;
    if (e.event != "update") return old;
    const gone = e.sectionDeletions, isMap = !Array.isArray(old);
    const all = isMap ? { ...old } : old.map(row => (gone ? { key: row.key, rows: [...row.rows] } : row));
    const at = place => (gone ? [all[place[0]].rows, place[1]] : [all, place]);
    const each = (places, change) => places.forEach((place, n) => change(...at(place), n));
    each(e.deletions.toReversed(), (rows, i) => (isMap ? delete rows[i] : rows.splice(i, 1)));
    gone?.toReversed().forEach(i => all.splice(i, 1));
    e.sectionInsertions?.forEach((i, n) => all.splice(i, 0, { key: e.insertedSections[n], rows: [] }));
    each(e.insertions, (rows, i, n) => (isMap ? (rows[i] = e.inserted[n]) : rows.splice(i, 0, e.inserted[n])));
    each(e.modificationsNew, (rows, i, n) => (rows[i] = e.modified[n]));
    return all;
  };
  const lines = {};
  const connect = (url, token) => {
    const queries = new Map(), line = { queries, last: 0 };
    let socket, pause = 250;
    const send = text => socket.readyState == 1 && socket.send(text);
    line.ask = id => {
      const { query, version } = queries.get(id);
      send(version ? `resume ${id} ${version} ${query}` : `follow ${id} ${query}`);
    };
    line.end = id => queries.delete(id) && send("end " + id);
    line.start = () => {
      socket = new WebSocket(url.replace(/^http/, "ws") + "/socket");
      socket.onopen = () => {
        if (token) send("token " + token);
        for (const id of queries.keys()) line.ask(id);
      };
      socket.onmessage = ({ data }) => {
        const { id, version, event, error, end } = JSON.parse(data), q = queries.get(id);
        pause = 250;
        if (!q) return;
        q.version = version ?? q.version;
        if (error || end) queries.delete(id);
        if (event) q.callback((q.rows = apply(q.rows, event)), event, version);
        if (error) q.onerror?.(error);
      };
      socket.onclose = ({ code, reason }) => {
        if (!queries.size || code == 1008) delete lines[url + token];
        for (const q of [...queries.values()]) q.onerror?.({ message: reason || "the connection was lost", code });
        if (queries.size && code != 1008) setTimeout(line.start, pause);
        pause = Math.min(pause * 2, 10000);
      };
    };
    line.start();
    return line;
  };
  globalThis.live = (query, callback, { url = home, token = "", onerror } = {}) => {
    const line = (lines[url + token] ??= connect(url, token)), id = ++line.last;
    line.queries.set(id, { query, callback, onerror });
    line.ask(id);
    return () => line.end(id);
  };
})();
