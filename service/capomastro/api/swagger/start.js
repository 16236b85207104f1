const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", prefersDark.matches);
prefersDark.addEventListener("change", dress);
dress();

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout", // without a bar to load other specifications
  deepLinking: true,
  docExpansion: "none", // groups, instead of every operation of every game
  defaultModelsExpandDepth: 0,
  validatorUrl: null, // otherwise the page fetches a badge from elsewhere
});
