Redoc.init("openapi.json", { disableSearch: true, hideLoading: true }, document.getElementById("redoc"));
