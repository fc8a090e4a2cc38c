// Stands in for what collects problems, in the page's own script: its engine tells them, and their texts are long.
export class Problems {
  report() {}
  add() {}
  isFull() {
    return true;
  }
  take() {
    return [];
  }
  sorted() {
    return [];
  }
}
