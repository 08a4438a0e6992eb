"""http.client's place in a browser: what an answer's status is called. Nobody is called there."""

from http import HTTPStatus

responses = {status.value: status.phrase for status in HTTPStatus}
