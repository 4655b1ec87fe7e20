/// The files that pages load, from this origin only.
enum PageAssets {
  static let stylePath = "/pages/style.css"
  static let scriptPath = "/pages/link.js"

  static let style = """
    :root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
    body { margin: 0 }
    main { max-width: 60rem; margin: 0 auto; padding: 1.5rem }
    form, .card { max-width: 30rem }
    label { display: block; font-weight: 600 }
    input { box-sizing: border-box; width: 100%; padding: .6rem; font: inherit }
    button { padding: .6rem 1.2rem; font: inherit; font-weight: 600; cursor: pointer }
    :focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
    [role=alert] { border-left: .3rem solid #c62828; padding-left: .8rem }
    img { max-width: 100%; height: auto }
    details { margin: .4rem 0 }
    summary { cursor: pointer }
    table { border-collapse: collapse; width: 100% }
    th, td { border-bottom: 1px solid GrayText; padding: .3rem .6rem; text-align: left; vertical-align: top }
    code { overflow-wrap: anywhere }

    """

  /// Moves the token from the address of the page, whose fragment no server sees, into the form.
  static let script = """
    const field = document.querySelector("input[name=token]");
    const token = new URLSearchParams(location.hash.slice(1) || location.search).get("token");
    if (field && token) {
      field.value = token;
      field.closest("p").hidden = true;
      history.replaceState(null, "", location.pathname);
    }

    """
}
