// Stands in for EventSource on the site: the stream comes from the worker that answers. A service worker couldn't hand
// it on: browsers end it when it has been at one answer for some minutes.
(() => {
  const root = new URL("../../", document.currentScript.src); // of static/app/source.js
  const REPEAT = 250;
  let last = 0;

  class ChannelSource extends EventTarget {
    constructor(address) {
      super();
      this.session = crypto.getRandomValues(new Uint32Array(1))[0];
      this.number = ++last;
      this.text = "";
      this.heard = false;
      this.channel = new BroadcastChannel(`pelagos ${root.pathname}`);
      this.channel.addEventListener("message", ({ data }) => this.hear(data));
      const { pathname, search } = new URL(address, location);
      const { session, number } = this;
      const question = { session, number, method: "GET", address: pathname + search, headers: {}, stream: true };
      question.body = new Uint8Array();
      const post = () => {
        if (!this.channel || this.heard) return;
        this.channel.postMessage({ question });
        setTimeout(post, REPEAT);
      };
      post();
      this.leave = () => this.close();
      addEventListener("pagehide", this.leave);
    }

    hear(data) {
      if (data.leads && this.heard) this.fail();
      if (data.session !== this.session || data.number !== this.number) return;
      if (data.heard) this.heard = true;
      if (!data.part) return;
      if (data.status !== 200) return this.fail();
      this.text += new TextDecoder().decode(data.part);
      const events = this.text.split("\n\n");
      this.text = events.pop();
      for (const event of events) this.emit(event);
      if (!data.more) this.fail();
    }

    emit(event) {
      const fields = event.split("\n").map((line) => line.split(/: ?(.*)/s));
      const { event: kind = "message", data } = Object.fromEntries(fields);
      if (data !== undefined) this.dispatchEvent(new MessageEvent(kind, { data }));
      else this.dispatchEvent(new Event("open"));
    }

    fail() {
      if (!this.channel) return;
      this.close();
      this.dispatchEvent(new Event("error"));
    }

    close() {
      if (!this.channel) return;
      this.channel.postMessage({ close: true, session: this.session, number: this.number });
      this.channel.close();
      this.channel = null;
      removeEventListener("pagehide", this.leave);
    }
  }

  globalThis.EventSource = ChannelSource;
})();
